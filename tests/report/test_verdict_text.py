"""The verdict's part of the terminal page: what did not count, and why."""

from __future__ import annotations

import io

from rich.console import Console

from cudasmith.model import Build, BuildStatus, Case, CaseResult, CaseStatus, Verdict, VerdictStatus
from cudasmith.report.text import _verdict
from cudasmith.stages._verify.conclude import conclusion

BUILT = Build("0", "emulator", BuildStatus.OK, 0.0)


def page(*results: CaseResult) -> str:
    status, reason = conclusion(results, BUILT, None)
    assert status is VerdictStatus.NOT_RUN
    verdict = Verdict("0", "emulator", "CPU", status, results, "the rule", reason)
    out = io.StringIO()
    Console(file=out, width=200).print(_verdict(verdict))
    return out.getvalue()


def result(status: CaseStatus, message: str, ratio: float | None = None) -> CaseResult:
    return CaseResult(Case("shrunk", (), (), False, 0), status, ratio, message=message)


def test_cases_without_elements_are_said_to_be_that() -> None:
    text = page(*[result(CaseStatus.PASSED, "no elements: only shapes")] * 2)
    assert "PASSED (no elements)" in text
    assert "no value was proven right: 2 cases without elements" in text
    assert "Let get_inputs return tensors that have elements" in text


def test_a_case_that_does_not_count_gives_its_reason() -> None:
    text = page(
        result(CaseStatus.NON_DISCRIMINATING, "zeros would pass too", 0.0),
        result(CaseStatus.REFERENCE_FAILED, "RuntimeError: too small"),
    )
    assert "shrunk: does not count: zeros would pass too" in text
    assert "shrunk: does not count: RuntimeError: too small" in text
    assert "1 case that a trivial result would pass too; 1 case that the reference itself refused" in text
