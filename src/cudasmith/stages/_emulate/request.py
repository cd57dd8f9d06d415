"""Request: what the parent sends to the worker of the stage emulate."""

from __future__ import annotations

from typing import Literal

import attrs

from cudasmith.model import Candidate, Capture, Case, Problem

Form = Literal["module", "script"]
Mode = Literal["checked", "fast"]
Order = Literal["forward", "reverse", "random"]


@attrs.frozen
class Request:
    """`problem` is None where there is no reference; `own` says that it is the candidate's file.

    `cases`: what to call forward with, the next where the reference refuses one; without any, the file's own inputs,
    which may hold `max_elements`. Units: `timeout_s` for each of import, constructor and calls; builds apart.
    """

    candidate: Candidate
    file: str  # absolute; empty for stdin
    form: Form
    problem: Problem | None
    own: bool
    capture: Capture | None
    cases: tuple[Case, ...]
    mode: Mode
    order: Order
    seed: int
    target: str
    timeout_s: float
    max_elements: int | None
    workdir: str
    backward: bool = False  # the file has one, and it is to be run
