"""The line of the user's Python file in a traceback, of Python's or of faulthandler."""

from __future__ import annotations

import re
from pathlib import PurePath

from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

_FRAME = re.compile(r'^\s+File "(?P<file>[^"]+)", line (?P<line>\d+),? in ')


def user_frame(log: Log, at: int, candidate: Candidate | None) -> Span | None:
    """The innermost frame in the candidate's file: of the traceback that ends at line `at`, or that follows it."""
    if candidate is None:
        return None
    lines = user_lines(log, at, candidate)
    return line_span(candidate, lines[0]) if lines else None


def user_lines(log: Log, at: int, candidate: Candidate) -> list[int]:
    """Lines of the candidate's file in the traceback that ends at line `at`, or that follows it, the innermost first."""
    name = PurePath(candidate.path).name
    return [
        int(m["line"])
        for line in [*_lines_above(log, at), *log.lines[at + 1 :]]
        if (m := _FRAME.match(line)) and PurePath(m["file"]).name == name
    ]


def _lines_above(log: Log, at: int) -> list[str]:
    """From the line above upwards to the head of its traceback."""
    found = []
    for line in reversed(log.lines[:at]):
        if line.startswith("Traceback"):
            break
        found.append(line)
    return found


def line_span(candidate: Candidate, number: int) -> Span | None:
    """A line of the file without the blanks at its ends."""
    lines = candidate.text.split("\n")
    if not 1 <= number <= len(lines):
        return None
    text = lines[number - 1]
    start = len(text) - len(text.lstrip())
    return Span(number, start + 1, number, len(text.rstrip()) + 1)
