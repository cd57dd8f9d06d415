"""A line of a text as a place: without the white space around its words."""

from __future__ import annotations

from cudasmith.model.finding import Span


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
