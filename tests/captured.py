"""The captured logs, the files that gave them, and what an offered edit makes of a file."""

from __future__ import annotations

from pathlib import Path

from cudasmith.model import Candidate
from cudasmith.model.finding import Fix
from cudasmith.source.text import SourceText

LOGS = Path(__file__).parent / "data" / "logs"


def log_text(name: str) -> str:
    return (LOGS / f"{name}.txt").read_text()


def source(name: str) -> Candidate | None:
    """The file that gave a log, if one did."""
    path = LOGS / f"{name}.py"
    return Candidate(path.read_text(), str(path)) if path.exists() else None


def applied(text: str, fix: Fix) -> str:
    """The file after the edit."""
    starts = [*SourceText.of(text).starts, len(text)]
    first = starts[fix.span.line - 1] + fix.span.column - 1
    last = starts[(fix.span.end_line or fix.span.line) - 1] + (fix.span.end_column or fix.span.column) - 1
    return text[:first] + fix.text + text[last:]
