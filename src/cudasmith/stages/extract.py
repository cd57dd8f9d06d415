"""extract: a chat model's reply in, the one Python file in it out. Nothing is guessed."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator, Sequence

import attrs

from cudasmith.model.errors import ProblemError
from cudasmith.source.blocks import Block, fenced_blocks, is_fence
from cudasmith.source.document import Document

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL)
_CODE_START = re.compile(r"(?:import|from|class|def|@|#|\"\"\"|''')")
_WORD = "ModelNew"
_TRIES = 60


@attrs.frozen
class Extracted:
    """`text` ends with a line end. `notes`: what was left out or supposed, for the user."""

    text: str
    notes: tuple[str, ...]


def extract(reply: str, name: str, *, block: int | None = None) -> Extracted:
    """The Python file in a reply: the block that defines ModelNew, or the reply itself.

    `block`: which one, counted from 1, where several do.

    Raises: ProblemError CSP090 where there is none, CSP091 where there are several, CSP092 where it is not
    Python, CSP093 where its CUDA text stands in another block.
    """
    text, notes = _plain(Document.of(reply).text, name)
    if block is None and _defines(_tree(text)):
        return Extracted(_ended(text), tuple(notes))
    blocks = fenced_blocks(text, lambda body: _tree(body) is not None)
    candidates = _unique([b for b in blocks if _defines(_tree(b.text))])
    if not candidates:
        return _without_block(text, blocks, name, notes)
    chosen = _chosen(candidates, block, name)
    _refuse_missing_sources(chosen, blocks, name)
    if not chosen.closed:
        notes.append(f"the fence in line {chosen.line} is never closed: taken to the end")
    others = len(blocks) - 1
    if others:
        notes.append(
            f"lines {chosen.line + 1} to {chosen.last - chosen.closed}; {others} other blocks left out"
        )
    return Extracted(_ended(chosen.text), tuple(notes))


def _plain(text: str, name: str) -> tuple[str, list[str]]:
    """The reply as text: out of JSON, without escapes, without the model's thoughts."""
    notes: list[str] = []
    found = _in_json(text, name)
    if found is not None:
        text = Document.of(found).text
        notes.append("taken out of JSON")
    elif text.strip().count("\n") == 0 and text.count("\\n") > 2:
        text = _unescaped(text.strip())
        notes.append("written in one line: its \\n are taken for line ends")
    without = _THOUGHT.sub("", text)
    if without != text:
        notes.append("the model's thoughts are left out")
    if re.match(r"\s*<(?:think|thinking|reasoning)>", without):
        help = "the limit on tokens was reached before the code: ask for the code at once, or raise the limit"
        raise ProblemError(
            "CSP090", "the reply ends within its reasoning", where=name, help=help, exit_code=1
        )
    return without, notes


def _in_json(text: str, name: str) -> str | None:
    """The one text of a JSON document that holds a file."""
    if text.lstrip()[:1] not in ('"', "{", "["):
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = {value: path for path, value in _strings(document, "$") if _WORD in value}
    if len(found) > 1:
        raise _several(
            [f"{path} of the JSON" for path in found.values()], name, "give the text of one of them"
        )
    return next(iter(found), None)


def _strings(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, f"{path}.{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _strings(item, f"{path}[{i}]")


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"')) if not text.startswith('"') else text
    except ValueError:
        return text.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')


def _chosen(candidates: Sequence[Block], block: int | None, name: str) -> Block:
    if block is not None and not 1 <= block <= len(candidates):
        many = f"the reply has {len(candidates)} blocks that define ModelNew"
        raise ProblemError("CSP091", f"there is no block {block}: {many}", where=name)
    if block is None and len(candidates) > 1:
        places = [f"{i}: lines {b.line + 1} to {b.last - b.closed}" for i, b in enumerate(candidates, 1)]
        raise _several(places, name, "choose one: --block N")
    return candidates[(block or 1) - 1]


def _several(places: Sequence[str], name: str, help: str) -> ProblemError:
    listed = "; ".join(places)
    return ProblemError(
        "CSP091", f"several texts define ModelNew: {listed}", where=name, help=help, exit_code=1
    )


def _refuse_missing_sources(chosen: Block, blocks: Sequence[Block], name: str) -> None:
    """CUDA text in a block of its own is not in the file, whatever the Python block calls it."""
    tree = _tree(chosen.text)
    assert tree is not None
    nodes = list(ast.walk(tree))
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    bound |= {
        a.asname or a.name for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names
    }
    bound |= {a.arg for a in nodes if isinstance(a, ast.arg)}
    missing = [n.id for call in nodes for n in _source_names(call) if n.id not in bound and "*" not in bound]
    if not missing:
        return
    cuda = [b for b in blocks if b.language in ("cpp", "c++", "cuda", "cu", "c")]
    where = f"; CUDA text stands in the block of line {cuda[0].line}" if cuda else ""
    raise ProblemError(
        "CSP093",
        f"the block of line {chosen.line} builds from {missing[0]}, which is not in it{where}",
        where=name,
        help=f'put the text into the Python file: {missing[0]} = r"""..."""',
        exit_code=1,
    )


def _source_names(call: ast.AST) -> Iterator[ast.Name]:
    if (
        isinstance(call, ast.Call)
        and getattr(call.func, "attr", getattr(call.func, "id", "")) == "load_inline"
    ):
        for keyword in call.keywords:
            if keyword.arg in ("cpp_sources", "cuda_sources"):
                yield from (n for n in ast.walk(keyword.value) if isinstance(n, ast.Name))


def _without_block(text: str, blocks: Sequence[Block], name: str, notes: list[str]) -> Extracted:
    """No block is the file: the code may stand between sentences, or be broken."""
    broken = [b for b in blocks if re.search(rf"\bclass\s+{_WORD}\b", b.text)]
    if broken:
        raise _not_python(broken[-1], name)
    lines = text.split("\n")
    for start in [i for i, line in enumerate(lines) if _CODE_START.match(line)][:5]:
        for end in _ends(lines, start):
            body = "\n".join(lines[start:end])
            if _defines(_tree(body)):
                kept = f"lines {start + 1} to {end} of {len(lines)}; the rest is no code"
                return Extracted(_ended(body), (*notes, kept))
    if _WORD in text:
        fact = "the reply speaks of ModelNew, but no part of it is a Python file that defines it"
    else:
        fact = "the reply has no Python code that defines ModelNew"
    help = "was the reply cut off? cudasmith check shows what is wrong with a file"
    raise ProblemError("CSP090", fact, where=name, help=help, exit_code=1)


def _ends(lines: Sequence[str], start: int) -> list[int]:
    """Where code that begins at `start` may end: before lines that are not indented, the last first."""
    outer = [i for i in range(start + 1, len(lines)) if lines[i][:1].strip() or is_fence(lines[i])]
    return [len(lines), *reversed(outer)][:_TRIES]


def _not_python(block: Block, name: str) -> ProblemError:
    try:
        ast.parse(block.text)
        fault, line = "it cannot be read", block.line
    except SyntaxError as error:
        fault, line = error.msg, block.line + (error.lineno or 1)
    except (ValueError, RecursionError, MemoryError) as error:
        fault, line = str(error) or "it nests too deeply", block.line
    cut = "; the fence is never closed: the reply was cut off" if not block.closed else ""
    message = f"the block of line {block.line} defines ModelNew, but is not Python: {fault}{cut}"
    help = "ask again for the whole file" if cut else "mend the line, or ask again"
    return ProblemError("CSP092", message, where=f"{name}:{line}", help=help, exit_code=1)


def _tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _defines(tree: ast.Module | None) -> bool:
    return tree is not None and any(isinstance(n, ast.ClassDef) and n.name == _WORD for n in tree.body)


def _unique(blocks: Sequence[Block]) -> list[Block]:
    return list({b.text.strip(): b for b in blocks}.values())


def _ended(text: str) -> str:
    return text.strip("\n") + "\n"
