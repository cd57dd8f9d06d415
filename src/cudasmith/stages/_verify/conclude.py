"""Conclusions: what the results of all cases, or the death of a worker, mean."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

from cudasmith.model import Build, BuildStatus, CaseResult, CaseStatus, VerdictStatus
from cudasmith.workers import WorkerResult, WorkerStatus

ALARM = int(signal.SIGALRM)
NOT_FAILURES = (
    CaseStatus.PASSED,
    CaseStatus.NON_DISCRIMINATING,
    CaseStatus.REFERENCE_FAILED,
    CaseStatus.NOT_RUN,
)


def counts(result: CaseResult) -> bool:
    """This case proves something: it passed, and values were compared that no trivial result matches."""
    return result.status is CaseStatus.PASSED and result.error_ratio is not None


def conclusion(
    listed: tuple[CaseResult, ...], build: Build, stopped: dict[str, Any] | None
) -> tuple[VerdictStatus, str]:
    if build.status is not BuildStatus.OK:
        return VerdictStatus.NOT_RUN, f"not built: {build.status.value}"
    if stopped:
        return VerdictStatus.FAILED, stopped["message"]
    failed = [r for r in listed if r.status not in NOT_FAILURES]
    if failed:
        more = f" ({len(failed)} cases failed)" if len(failed) > 1 else ""
        return VerdictStatus.FAILED, f"{failed[0].case.name}: {failed[0].status.value}{more}"
    if any(r.status is CaseStatus.NOT_RUN for r in listed):
        return VerdictStatus.NOT_RUN, "time was up before every case had run"
    if not any(counts(r) for r in listed):
        return VerdictStatus.NOT_RUN, _unproven(listed)
    return VerdictStatus.PASSED, ""


_WHY_UNCOUNTED = {
    CaseStatus.PASSED: "{} without elements: shape and dtype are right, but there was no value to compare",
    CaseStatus.NON_DISCRIMINATING: "{} that a trivial result would pass too",
    CaseStatus.REFERENCE_FAILED: "{} that the reference itself refused",
}


def _unproven(listed: tuple[CaseResult, ...]) -> str:
    """What the cases were, when none of them counts."""
    found = [r.status for r in listed]
    parts = [text.format(_cases(found.count(s))) for s, text in _WHY_UNCOUNTED.items() if s in found]
    remedy = ""
    if set(found) == {CaseStatus.PASSED}:
        remedy = ". Let get_inputs return tensors that have elements"
    return "no value was proven right: " + ("; ".join(parts) or "there is no case") + remedy


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"


def no_build(stopped: dict[str, Any]) -> BuildStatus:
    if stopped["end"] == "no_executor":
        return BuildStatus.NO_TOOLCHAIN
    by_death = {CaseStatus.TIMEOUT.value: BuildStatus.TIMEOUT, CaseStatus.CRASHED.value: BuildStatus.CRASHED}
    return by_death.get(stopped.get("status", ""), BuildStatus.IMPORT_ERROR)


def death(result: WorkerResult, memory_bytes: int, case_timeout_s: float) -> tuple[CaseStatus, str]:
    if result.status is WorkerStatus.TIMEOUT:
        return CaseStatus.TIMEOUT, f"the time for all cases was up{_where(result)}"
    if result.status is WorkerStatus.MEMORY:
        return CaseStatus.CRASHED, f"more than {memory_bytes / (1 << 30):.1f} GB of memory used"
    if result.signal == ALARM:
        return CaseStatus.TIMEOUT, f"not done after {case_timeout_s:g} s"
    return CaseStatus.CRASHED, result.death + _where(result)


def _where(result: WorkerResult) -> str:
    lines = [frame.line for frame in result.stack if Path(frame.file).stem == "cudasmith_candidate"]
    return f" in line {lines[-1]} of the candidate" if lines else ""
