"""Python text: parsing with a clear error, cutting statements out with their comments, indentation."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Sequence

from cudasmith.model import ProblemError


def parse(source: str, name: str) -> ast.Module:
    """The syntax tree. Raises: ProblemError CSP005 with the line, and a caret under the place."""
    try:
        return ast.parse(source, filename=name)
    except SyntaxError as error:
        line = (error.text or "").rstrip("\n")
        caret = f"\n{line}\n{' ' * max((error.offset or 1) - 1, 0)}^" if line.strip() else ""
        raise ProblemError(
            "CSP005",
            f"this is not valid Python: {error.msg}{caret}",
            where=f"{name}:{error.lineno or 1}",
            help=f"python -m py_compile {name} shows the same error",
        ) from None
    except ValueError as error:  # null bytes
        raise ProblemError(
            "CSP005",
            f"this is not valid Python: {error}",
            where=name,
            help="is this a Python source file? Save it as UTF-8",
        ) from None


def first_line(node: ast.stmt) -> int:
    """The line a statement starts on, its decorators included."""
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def cut(lines: Sequence[str], node: ast.stmt, siblings: Sequence[ast.stmt]) -> str:
    """The statement at its own indentation, with the comment lines right above it and the comment behind it.

    A statement that shares its line with another ("a = 1; b = 2") is cut to itself.
    """
    start, end = first_line(node), node.end_lineno or node.lineno
    for other in siblings:
        if other is not node and first_line(other) <= end and (other.end_lineno or 0) >= start:
            text = "\n".join(lines)
            return " " * node.col_offset + (ast.get_source_segment(text, node) or "")
    while start > 1 and lines[start - 2].lstrip().startswith("#"):
        start -= 1
    return "\n".join(lines[start - 1 : end])


def dedent(text: str, by: str) -> str:
    """Every line with `by` taken off its front, but not the inner lines of a multi-line string."""
    inner = _string_lines(text, wrap=True)
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        if number in inner:
            out.append(line)
        elif line.startswith(by):
            out.append(line[len(by) :])
        else:  # a comment or a continuation that stands further left
            out.append(line.lstrip())
    return "\n".join(out)


def indent(text: str, by: str = "    ") -> str:
    """Every non-empty line with `by` in front, but not the inner lines of a multi-line string."""
    inner = _string_lines(text, wrap=False)
    return "\n".join(
        line if number in inner or not line.strip() else by + line
        for number, line in enumerate(text.split("\n"), 1)
    )


def replace_names(text: str, old: str, new: str) -> str:
    """The text with the variable `old` called `new` wherever it is a name (not in strings or after a dot)."""
    lines = text.split("\n")
    names = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name) and n.id == old]
    for name in sorted(names, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        line = lines[name.lineno - 1].encode()  # ast counts columns in UTF-8 bytes
        start, end = name.col_offset, name.col_offset + len(old.encode())
        if line[start:end] == old.encode():
            lines[name.lineno - 1] = (line[:start] + new.encode() + line[end:]).decode()
        else:  # inside an f-string, where Python before 3.12 gives wrong columns
            lines[name.lineno - 1] = re.sub(rf"(?<![\w.]){old}\b", new, line.decode())
    return "\n".join(lines)


def _string_lines(text: str, *, wrap: bool) -> set[int]:
    """Numbers of the lines that begin inside a string whose value counts: docstrings do not.

    `wrap`: the text is indented code.
    """
    offset = 1 if wrap else 0
    code = "if 1:\n" + text if wrap else text
    inside: set[int] = set()
    f_start: list[int] = []
    starts_statement = True
    for token in tokenize.generate_tokens(io.StringIO(code + "\n").readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING" and not starts_statement:
            inside.update(range(token.start[0] + 1 - offset, token.end[0] + 1 - offset))
        elif kind == "FSTRING_START":  # Python 3.12 and later give f-strings in pieces
            f_start.append(token.start[0])
        elif kind == "FSTRING_END":
            inside.update(range(f_start.pop() + 1 - offset, token.end[0] + 1 - offset))
        if kind not in ("COMMENT", "NL"):
            starts_statement = kind in ("NEWLINE", "INDENT", "DEDENT")
    return inside
