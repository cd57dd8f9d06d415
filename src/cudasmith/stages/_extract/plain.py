"""A reply as plain text: out of JSON, HTML and quotation, without the model's thoughts."""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Iterator, Sequence

import attrs

from cudasmith.model.errors import ProblemError
from cudasmith.source.blocks import Block, fenced_blocks
from cudasmith.source.document import BOM, Document
from cudasmith.stages._extract.code import WORD, defines, several, tree

_TAGS = "think|thinking|reasoning"
_OPENING = re.compile(rf"[ \t]*<({_TAGS})>")
_CLOSING = re.compile(rf"</(?:{_TAGS})>(?=\s|```|\Z)")
_DEFINES = re.compile(rf"\bclass\s+{WORD}\b")
_CODE = r"(?:import|from|class|def)\s|[@#]|\"\"\"|'''"
_CODE_BEHIND_FENCE = re.compile(
    rf"^([ \t]*(?:`{{3,}}|~{{3,}}))[ \t]*(?:python3?|py)?[ \t]*(?=(?:{_CODE})[^`]*$)"
)
_FENCE_BEHIND_MARKER = re.compile(r"^([ \t]*(?:[-*+]|\d+[.)])[ \t]+)(?=(?:`{3,}|~{3,})[^`]*$)", re.MULTILINE)
_MARKDOWN_FENCE = re.compile(
    r"^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:markdown|md)[ \t]*$", re.MULTILINE | re.IGNORECASE
)
_ESCAPED = re.compile(r"#include\s*&lt;|&lt;&lt;&lt;")
_NOT_ESCAPED = re.compile(r"#include\s*<|<<<")


@attrs.frozen
class Plain:
    """`split`: the lines of the reply whose code was put into a line of its own, so that one line became two."""

    text: str
    notes: tuple[str, ...]
    split: tuple[int, ...] = ()

    def line(self, line: int) -> int:
        """The line of the reply, counted from 1, that a line of `text` was."""
        for earlier in self.split:
            line -= line > earlier
        return line


def plain(reply: str, name: str) -> Plain:
    """Raises: ProblemError CSP090 where the reply ends within its reasoning, CSP091 where JSON holds several."""
    text, notes = _out_of_json(Document.of(reply).text, name)
    text, unescaped = _out_of_html(text)
    if unescaped:
        notes.append("&lt; and the like are taken for the characters that they stand for")
    if defines(tree(text)):  # what looks like a thought in it is a part of the code
        return Plain(text, tuple(notes))
    without = _without_thoughts(text, name)
    if without != text:
        notes.append("the model's thoughts are left out")
    return _own_lines(_without_marks(without), notes)


def _out_of_json(text: str, name: str) -> tuple[str, list[str]]:
    found = _in_json(text, name)
    if found is not None:
        return Document.of(found).text, ["taken out of JSON"]
    if text.strip().count("\n") == 0 and text.count("\\n") > 2:
        return _unescaped(text.strip()), ["written in one line: its \\n are taken for line ends"]
    return text, []


def _in_json(text: str, name: str) -> str | None:
    """The one text of the JSON in a reply that holds a file; None where there is no JSON, or no file in it."""
    found = {value: path for path, value in _strings(_document(text), "$") if WORD in value}
    defining = {value: path for value, path in found.items() if _DEFINES.search(value)} or found
    if len(defining) > 1:
        places = [f"{path} of the JSON" for path in defining.values()]
        raise several(places, name, "give the text of one of them")
    return next(iter(defining), None)


def _document(text: str) -> object:
    """The JSON that a reply is, or that it holds: whole, one document a line, in a block, or behind a sentence."""
    inside = [b.text for b in fenced_blocks(text, lambda _: False) if b.language in ("", "json", "jsonc")]
    for part in (text, *inside):
        if part.lstrip()[:1] in ('"', "{", "["):
            for given in (part, f"[{','.join(filter(str.strip, part.splitlines()))}]"):
                with_it = _loaded(given)
                if with_it is not None:
                    return with_it
    start = re.search(r'[{\[]\s*[{"]', text) if text.strip().count("\n") == 0 else None
    return _loaded(text[start.start() :].strip()) if start else None


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _strings(value: object, path: str) -> Iterator[tuple[str, str]]:
    """The texts of a document, but for what a user asked and what a model thought."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        if value.get("role", "assistant") not in ("assistant", "model"):
            return
        for key, item in value.items():
            if not re.match(r"reasoning|thinking|thought", str(key)):
                yield from _strings(item, f"{path}.{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _strings(item, f"{path}[{i}]")


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"')) if not text.startswith('"') else text
    except ValueError:
        return text.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')


def _out_of_html(text: str) -> tuple[str, bool]:
    """Only where every include and launch is escaped: `&lt;` may be the address of a variable."""
    if not _ESCAPED.search(text) or _NOT_ESCAPED.search(text):
        return text, False
    fenced = re.sub(r"<pre\b[^<>]*>\s*(?:<code\b[^<>]*>)?", "```python\n", text)
    fenced = re.sub(r"(?:</code>\s*)?</pre>", "\n```", fenced)
    return html.unescape(fenced), True


def _without_thoughts(text: str, name: str) -> str:
    """Thoughts become empty lines, so that all else keeps its place. What stands in a block of code is no thought."""
    text = _without_first_thought(text)
    while True:
        lines = text.split("\n")
        inside = _lines_of(fenced_blocks(text, _parses))
        at = next((i for i, line in enumerate(lines) if _OPENING.match(line) and i + 1 not in inside), None)
        if at is None:
            return text
        start = sum(len(line) + 1 for line in lines[:at])
        opened = _OPENING.match(lines[at])
        assert opened is not None
        end = text.find(f"</{opened[1]}>", start)
        if end < 0:
            raise _all_thought(name)
        text = _blanked(text, start, end + len(f"</{opened[1]}>"))


def _without_first_thought(text: str) -> str:
    """A thought whose beginning the reply has not: up to a closing tag that no opening one precedes."""
    closed = _CLOSING.search(text)
    if closed is None or re.search(rf"<(?:{_TAGS})>", text[: closed.start()]):
        return text
    line = text.count("\n", 0, closed.start()) + 1
    code = _lines_of([b for b in fenced_blocks(text, _parses) if _parses(b.text)])
    return (
        text if line in code or not _DEFINES.search(text, closed.end()) else _blanked(text, 0, closed.end())
    )


def _lines_of(blocks: Sequence[Block]) -> set[int]:
    return {line for b in blocks for line in range(b.line, b.last + 1)}


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + "\n" * text.count("\n", start, end) + text[end:].lstrip(" \t")


def _all_thought(name: str) -> ProblemError:
    help = "the limit on tokens was reached before the code: ask for the code at once, or raise the limit"
    return ProblemError("CSP090", "the reply ends within its reasoning", where=name, help=help, exit_code=1)


def _without_marks(text: str) -> str:
    """Without the marks of quotation and of lists, the fence around a whole reply and byte order marks in it."""
    text = re.sub(rf"^{BOM}", "", text, flags=re.MULTILINE)
    lines = text.split("\n")
    if all(line.startswith(">") for line in lines if line.strip()):
        text = "\n".join(line[1:].removeprefix(" ") for line in lines)
    text = _MARKDOWN_FENCE.sub("", text)
    return _FENCE_BEHIND_MARKER.sub(lambda mark: " " * len(mark[1]), text)


def _own_lines(text: str, notes: Sequence[str]) -> Plain:
    """Code that begins on a fence's own line gets a line."""
    lines, split = [], []
    for number, line in enumerate(text.split("\n"), 1):
        fence = _CODE_BEHIND_FENCE.match(line)
        if fence is None:
            lines.append(line)
        else:
            lines += [f"{fence[1]}python", line[fence.end() :]]
            split.append(number)
    return Plain("\n".join(lines), tuple(notes), tuple(split))


def _parses(text: str) -> bool:
    found = tree(text)
    return found is not None and any(not isinstance(n, ast.Expr) for n in found.body)
