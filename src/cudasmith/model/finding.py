"""Finding: one thing that is wrong, or undecided, at one place."""

from __future__ import annotations

from typing import Literal

import attrs

Severity = Literal["error", "warning", "info"]
Confidence = Literal["high", "medium", "low"]


@attrs.frozen
class Span:
    """A half-open region of one text file. Lines and columns count from 1.

    `file`: the path of a file that the candidate reads; empty for the candidate itself.
    """

    line: int
    column: int = 1
    end_line: int | None = None
    end_column: int | None = None
    file: str = ""


@attrs.frozen
class Fix:
    """Replace `span` by `text`. `safe` means that behaviour of a correct file cannot change."""

    span: Span
    text: str
    safe: bool = False


@attrs.frozen
class Finding:
    """One result of a rule, a compiler log, a sanitizer or the emulator."""

    code: str  # "CS203" for rules, "EM101" for emulator faults
    severity: Severity
    message: str  # the fact, one line
    confidence: Confidence = "high"
    span: Span | None = None  # in the candidate's Python file
    notes: tuple[str, ...] = ()
    help: str | None = None  # what to do
    fix: Fix | None = None
