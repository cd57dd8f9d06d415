"""A line of a text as a place: without the white space around its words."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from cudasmith.model.finding import Span
from cudasmith.source.names import walk
from cudasmith.source.python_text import first_line


def line_bounds(text: str, line: int) -> tuple[int, int] | None:
    """Offsets of the first word and behind the last of line `line`, which counts from 1; None when there is no such line."""
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return None
    own = lines[line - 1]
    start = sum(len(before) + 1 for before in lines[: line - 1]) + len(own) - len(own.lstrip())
    return start, start + len(own.strip())


def line_span(text: str, line: int) -> Span | None:
    """The same as a place in a file that has this text."""
    bounds = line_bounds(text, line)
    if bounds is None:
        return None
    before = text.rfind("\n", 0, bounds[0])
    return Span(line, bounds[0] - before, line, bounds[1] - before)


def code_lines(text: str, nodes: Iterable[ast.stmt]) -> int:
    """How many lines of the nodes hold code: not empty, no comment, not inside a string of several lines."""
    lines = text.split("\n")
    counted: set[int] = set()
    for node in nodes:
        counted |= set(range(first_line(node), (node.end_lineno or node.lineno) + 1))
        for part in walk(node):
            if isinstance(part, (ast.Constant, ast.JoinedStr)):
                counted -= set(range(part.lineno + 1, (part.end_lineno or part.lineno) + 1))
            if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
                counted -= set(range(part.lineno, (part.end_lineno or part.lineno) + 1))
    return sum(bool(lines[i - 1].strip()) and not lines[i - 1].lstrip().startswith("#") for i in counted)
