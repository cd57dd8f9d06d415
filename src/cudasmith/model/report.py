"""Report: the whole story of one port."""

from __future__ import annotations

import attrs

from cudasmith.model.build import Build
from cudasmith.model.candidate import Candidate
from cudasmith.model.finding import Finding
from cudasmith.model.graph import Capture
from cudasmith.model.plan import Plan
from cudasmith.model.verdict import Verdict


@attrs.frozen
class StageTime:
    stage: str
    seconds: float


@attrs.frozen
class Report:
    """What `port` did. `verdicts` may be empty only with `--no-verify`."""

    problem_path: str
    candidate: Candidate
    capture: Capture
    plan: Plan
    findings: tuple[Finding, ...]
    builds: tuple[Build, ...]
    verdicts: tuple[Verdict, ...]
    times: tuple[StageTime, ...]
    strict: bool = False
