"""Undecided: a rule looked and could not tell. It is never a pass."""

from __future__ import annotations

import attrs

from cudasmith.model.finding import Span


@attrs.frozen
class Undecided:
    """What the rule `code` could not decide, where and why."""

    code: str
    reason: str
    span: Span | None = None  # in the candidate's Python file
