"""Emulation: one run of a candidate's kernels on the CPU, with what was seen of them."""

from __future__ import annotations

import enum

import attrs

from cudasmith.model.finding import Finding
from cudasmith.model.verdict import CaseResult, CaseStatus

UNEQUAL = frozenset(CaseStatus) - {
    CaseStatus.PASSED,
    CaseStatus.NON_DISCRIMINATING,
    CaseStatus.REFERENCE_FAILED,
    CaseStatus.NOT_RUN,
}


class RunStatus(str, enum.Enum):
    """How the candidate's run ended."""

    ENDED = "ENDED"
    BUILD_FAILED = "BUILD_FAILED"  # load_inline refused the source
    NO_TOOLCHAIN = "NO_TOOLCHAIN"  # the emulator lacks something that the source uses: nothing is proven
    RAISED = "RAISED"  # an exception, or a fault of a kernel
    CRASHED = "CRASHED"
    TIMEOUT = "TIMEOUT"
    MEMORY = "MEMORY"


@attrs.frozen
class LaunchCount:
    """Launches of one kernel with one configuration."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int  # dynamic
    count: int
    seconds: float  # of CPU time, all of them


@attrs.frozen
class Emulation:
    """What one run of a candidate showed. `passed`: it ended, no finding is an error, and no output or gradient is wrong.

    `comparison` is None where nothing was compared; `not_compared` says why. `gradients` is the same of the backward runs, and
    `not_differentiated` why there are none, or none of the second run; both are empty where the file has no backward. `control` tells of the run in which no
    kernel ran. `unchecked`: what checked mode could not vouch for.
    """

    path: str
    sha256: str
    mode: str  # "checked" or "fast"
    order: str
    seed: int
    target: str
    device: str  # "CPU emulator (g++ 12.2)"; empty when the run did not get so far
    status: RunStatus
    message: str = ""
    form: str = "module"  # or "script"
    kernel: str | None = None  # findings and launches of this one only
    launches: tuple[LaunchCount, ...] = ()
    comparison: CaseResult | None = None
    not_compared: str = ""
    gradients: CaseResult | None = None
    not_differentiated: str = ""
    control: str = ""
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        if self.status is not RunStatus.ENDED or any(f.severity == "error" for f in self.findings):
            return False
        return not self.wrong

    @property
    def wrong(self) -> bool:
        """Whether an output or a gradient is not what it must be."""
        compared = (self.comparison, self.gradients)
        return any(one is not None and one.status in UNEQUAL for one in compared)


def base_name(kernel: str) -> str:
    """A kernel's own name: without namespaces and template arguments."""
    return kernel.partition("<")[0].strip().rpartition("::")[2]
