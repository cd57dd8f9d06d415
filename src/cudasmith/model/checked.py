"""CheckedFile: all that check has to say of one file, for every form of report."""

from __future__ import annotations

from typing import Literal

import attrs

from cudasmith.model.candidate import Candidate
from cudasmith.model.errors import CudasmithError
from cudasmith.model.finding import Finding
from cudasmith.model.undecided import Undecided

Verdict = Finding | Undecided
Answer = Literal["yes", "no", "not decided"]


@attrs.frozen
class ChecklistPoint:
    """One answer. `rules`: the codes that decide it. `why`: the findings, or what is missing; empty for yes."""

    key: str
    text: str
    answer: Answer
    rules: tuple[str, ...]
    why: str


@attrs.frozen
class CheckedFile:
    """`ignored`: set aside by comments; `known`: recorded in a baseline; `fixed`: mended in this run."""

    candidate: Candidate
    mode: str
    status: Literal["passed", "failed", "undecided"]
    findings: tuple[Finding, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    ignored: tuple[Verdict, ...] = ()
    known: tuple[Verdict, ...] = ()
    fixed: tuple[Finding, ...] = ()
    checklist: tuple[ChecklistPoint, ...] = ()

    @property
    def shown(self) -> tuple[Verdict, ...]:
        """All that is not set aside."""
        return (*self.findings, *self.undecided)


@attrs.frozen
class UnreadFile:
    """A file that could not be checked, and why."""

    path: str
    error: CudasmithError
