"""A line of a text as a place: without the white space around its words."""

from __future__ import annotations

from cudasmith.model.finding import Span


def line_span(text: str, line: int) -> Span | None:
    """The words of line `line`, which counts from 1; None when there is no such line."""
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return None
    own = lines[line - 1]
    start = len(own) - len(own.lstrip()) + 1
    return Span(line, start, line, max(start, len(own.rstrip()) + 1))
