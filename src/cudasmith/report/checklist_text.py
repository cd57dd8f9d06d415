"""The checklist for a human, and a diff of fixes."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Sequence

from cudasmith.model.checked import ChecklistPoint

_WIDTH = 100


def render_checklist(points: Sequence[ChecklistPoint], path: str) -> str:
    """One line a point: the answer, the point, its rules; below it why it is not yes."""
    lines = [path]
    for point in points:
        rules = f" ({', '.join(point.rules)})" if point.rules else ""
        lines.append(f"  {point.answer:<12} {point.text}{rules}")
        indent = " " * 15
        lines += textwrap.wrap(point.why, _WIDTH, initial_indent=indent, subsequent_indent=indent)
    counts = [f"{sum(p.answer == a for p in points)} {a}" for a in ("yes", "no", "not decided")]
    return "\n".join([*lines, f"{path}: {', '.join(counts)}"])


def unified_diff(old: str, new: str, path: str) -> str:
    """What `patch` takes: line ends are part of the lines, a missing last one is told. Empty for no change."""
    lines = difflib.unified_diff(_lines(old), _lines(new), path, path)
    return "".join(
        line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines
    )


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [p + "\n" for p in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
