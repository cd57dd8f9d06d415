"""What a part of a reply is: Python that defines ModelNew, a part of another text, a patch, whole or with gaps."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Sequence

import attrs

from cudasmith.model.errors import ProblemError

WORD = "ModelNew"
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
_PATCH_HEAD = ("--- ", "+++ ", "diff ", "index ", "new file mode ", "\\ No newline")
_COMMENT = re.compile(r"(?:^|\s)(?:#|//|/\*+)\s*(?P<said>.*?)\s*(?:\*/)?\s*$")
_THING = r"(?:code|kernels?|implementation|functions?|methods?|class(?:es)?|file|logic|body|includes|bindings?|checks)"
_GAPS = (
    re.compile(
        rf"^(?:\.\.\.|…)\W*(?:the |your |all )?(?:rest|remaining|remainder|existing|other|same|previous|unchanged|omitted)\b"
        rf"(?:.*\b(?:{_THING}|unchanged|omitted|same|before|above|here))?\W*$", re.IGNORECASE
    ),
    re.compile(
        rf"^(?:the )?(?:rest|remainder) of (?:the |your )?(?:{WORD} )?{_THING}\b.*"
        rf"(?:\.\.\.|…|\b(?:here|unchanged|omitted|same|before|above))\W*$", re.IGNORECASE
    ),
    re.compile(rf"^TODO\W*(?:implement|write|fill in|complete|add)(?: (?:this|it|me|here|(?:the |your )?(?:\w+ )?{_THING}))?(?: here)?\W*$",
               re.IGNORECASE),
    re.compile(rf"^\W*(?:(?:insert|add|put|paste|write|place) )?your (?:\w+ )?{_THING}(?: goes)? here\b\W*$", re.IGNORECASE),
)  # fmt: skip
_BRACKETED = re.compile(
    rf"<\s*(?:(?:insert|add|put|paste)\s+)?your\s[^<>\n]*(?:{_THING}|here)[^<>\n]*>", re.IGNORECASE
)
_BARE = re.compile(r"^\s*(?:\.\.\.|…)\s*;?\s*(?://.*)?$")
_LONGEST = 300  # characters of a line
_IN_CUDA = re.compile(r"\b__global__\b|#include\b|\btorch::")


def tree(text: str) -> ast.Module | None:
    """None for what Python cannot read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def defines(module: ast.Module | None) -> bool:
    return _model(module) is not None


def _model(module: ast.Module | None) -> ast.ClassDef | None:
    """The last class ModelNew, which is the one that Python keeps."""
    found = [n for n in (module.body if module else ()) if isinstance(n, ast.ClassDef) and n.name == WORD]
    return found[-1] if found else None


def several(places: Sequence[str], name: str, help: str) -> ProblemError:
    """The error of a reply in which more than one text may be the file."""
    listed = "; ".join(places)
    return ProblemError(
        "CSP091", f"several texts define ModelNew: {listed}", where=name, help=help, exit_code=1
    )


@attrs.frozen
class Said:
    """The lines of a text that are not empty, without those that stand for gaps."""

    lines: list[str]
    gapped: bool

    @classmethod
    def by(cls, text: str) -> Said:
        open_ = {line for line, _ in gaps(text)}
        lines = _stripped(line for number, line in enumerate(text.split("\n"), 1) if number not in open_)
        return cls(lines, bool(open_))

    def part_of(self, whole: Said) -> bool:
        """Whether it says nothing that a longer text does not: the same lines one behind the other.

        Where it has gaps, the whole may have more lines between them.
        """
        lines, others = self.lines, whole.lines
        if len(lines) >= len(others):
            return False
        if self.gapped:
            rest = iter(others)
            return all(line in rest for line in lines)
        starts = [i for i in range(len(others) - len(lines) + 1) if others[i] == lines[0]] if lines else []
        return any(others[i : i + len(lines)] == lines for i in starts)


def _stripped(lines: Iterable[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip()]


def added_file(text: str) -> str | None:
    """The file that a patch makes out of nothing; None for a text that is no such patch."""
    lines = text.split("\n")
    hunks = [h for line in lines if (h := _HUNK.match(line))]
    if len(hunks) > 1 or any(h[1] != "0" for h in hunks):
        return None
    rest = [n for n in lines if n.strip() and not n.startswith(_PATCH_HEAD) and not _HUNK.match(n)]
    if not rest or not all(line.startswith("+") for line in rest):
        return None
    head = next(i for i, line in enumerate(lines) if line == rest[0])
    body = [line[1:] for line in lines[head:] if not line.startswith("\\")]
    return "\n".join(body)


def is_patch(text: str) -> bool:
    return re.search(rf"^\+\s*class\s+{WORD}\b", text, re.MULTILINE) is not None or (
        WORD in text and re.search(r"^@@ .*@@", text, re.MULTILINE) is not None
    )


def gaps(text: str) -> list[tuple[int, str]]:
    """The lines, counted from 1, in whose place the model has left code out, and what stands there."""
    lines = text.split("\n")
    left_out = _left_out_statements(text)
    return [
        (number, line.strip())
        for number, line in enumerate(lines, 1)
        if number in left_out or _is_gap(line) or _is_lonely_ellipsis(lines, number - 1)
    ]


def _is_gap(line: str) -> bool:
    if len(line) > _LONGEST:  # no remark of a model; patterns take long over it
        return False
    said = _COMMENT.search(line)
    return _BRACKETED.search(line) is not None or (
        said is not None and any(g.search(said["said"]) for g in _GAPS)
    )


def _is_lonely_ellipsis(lines: Sequence[str], at: int) -> bool:
    """A comment that is only dots; between other comments they may belong to a list."""
    said = _COMMENT.search(lines[at]) if len(lines[at]) <= _LONGEST else None
    if said is None or said["said"] not in ("...", "…") or _COMMENT.sub("", lines[at]).strip():
        return False
    beside = [lines[i] for i in (at - 1, at + 1) if 0 <= i < len(lines)]
    return not any(re.match(r"\s*(?:#\s|//|/?\*)", line) for line in beside)


def _left_out_statements(text: str) -> set[int]:
    """Lines of `...` in the place of a function's body or, in CUDA text, of statements."""
    module = tree(text)
    found: set[int] = set()
    pending: list[ast.AST] = [module] if module else []
    while pending:
        node = pending.pop()
        if isinstance(node, ast.ClassDef) and any("Protocol" in ast.unparse(b) for b in node.bases):
            continue
        pending += ast.iter_child_nodes(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.decorator_list:
            found |= {s.lineno for s in node.body if isinstance(s, ast.Expr) and _is_ellipsis(s.value)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _IN_CUDA.search(node.value):
            source = text.split("\n")[node.lineno - 1 : node.end_lineno]
            found |= {node.lineno + i for i, line in enumerate(source) if _BARE.match(line)}
    return found


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def unfinished(module: ast.Module) -> tuple[int, str] | None:
    """The line of a ModelNew that does nothing, and why."""
    model = _model(module)
    assert model is not None
    forwards = [
        n
        for n in model.body
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == "forward"
    ]
    if not forwards:
        own = [n for n in model.body if "forward" in ast.unparse(n)]
        plain_bases = all(ast.unparse(b).rpartition(".")[2] == "Module" for b in model.bases)
        return (model.lineno, "class ModelNew has no forward") if plain_bases and not own else None
    body = [
        s for s in forwards[-1].body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
    ]
    if all(isinstance(s, ast.Pass) or _is_not_implemented(s) for s in body):
        return forwards[-1].lineno, "ModelNew.forward has no body"
    return None


def _is_not_implemented(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Raise) and "NotImplementedError" in ast.unparse(statement)
