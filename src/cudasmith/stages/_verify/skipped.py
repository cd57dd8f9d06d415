"""Control of a verification on the emulator: one case again with no kernel at work, and with each kernel skipped alone."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import attrs

from cudasmith import emulator
from cudasmith.model import Case, CaseResult, CaseStatus, Finding
from cudasmith.stages._emulate import told
from cudasmith.stages._emulate.calls import Called
from cudasmith.stages._emulate.control import Control, control
from cudasmith.stages._verify.execute import Bench, limited, prepare
from cudasmith.stages._verify.inputs import copy_args
from cudasmith.stages._verify.reference import run


def smallest(results: Sequence[CaseResult]) -> Case | None:
    """The case to repeat: the least work of those that prove something about kernels."""
    fit = [r for r in results if r.status is CaseStatus.PASSED and r.error_ratio is not None and r.launches]
    fit = [r for r in fit if all(i.distribution != "special" for i in r.case.inputs)] or fit
    return min((r.case for r in fit), key=_elements, default=None)


def skipped(bench: Bench, case: Case) -> Control:
    """What the case shows. A kernel whose absence no output shows is a warning, none at all that is shown an error.

    Raises: what the candidate raises with its kernels at work.
    """
    case, args, _ = prepare(bench, case)
    state = bench.reference.state

    def again() -> Called:
        used = copy_args(args)  # what is installed around the call guards its memory
        with limited(bench.case_timeout_s):
            return Called(run(bench.candidate, state, case, used), used)

    before = len(emulator.launches())
    with bench.executor.fenced():
        called = again()
    kernels = list(dict.fromkeys(one.kernel for one in emulator.launches()[before:]))
    seen = control(again, called, kernels, functools.partial(emulator.installed, devices=False))
    errors = tuple(f for f in seen.findings if f.severity == "error")
    return attrs.evolve(seen, findings=(*errors, *map(_not_shown, seen.unseen)))


def _not_shown(kernel: str) -> Finding:
    return Finding(
        told.UNUSED,
        "warning",
        f"it is not shown that kernel {kernel} makes anything: the outputs are the same when it does not run",
        help="a kernel whose values are replaced or multiplied by zero costs time and is not verified",
    )


def _elements(case: Case) -> int:
    return sum(math.prod(made.shape) for made in case.inputs)
