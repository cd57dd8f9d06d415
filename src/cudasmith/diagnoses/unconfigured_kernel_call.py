"""DG233."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import at_caret, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class UnconfiguredKernelCall(Diagnosis):
    """A kernel is called like a function, without `<<<grid, block>>>`.

    A `__global__` function is started, not called: the launch has to say how many blocks and threads run it. Inside another
    kernel it cannot be called at all.

    Write `kernel<<<blocks, threads, 0, stream>>>(...)`. Code that a kernel shares with another belongs into a
    `__device__` function.
    """

    code = "DG233"
    name = "unconfigured-kernel-call"
    CASES = (
        Case("global_call_not_configured", says="without <<<", line=8),
        Case("kernel_called_in_kernel", says="without <<<", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, "a __global__ function call must be configured")
        if found is None:
            return None
        said = found[0]
        called = re.match(r"[\w:]+", at_caret(log, said))
        name = called[0] if called else "a kernel"
        help = f"write {name}<<<blocks, threads, 0, stream>>>(...); inside a kernel call a __device__ function instead"
        return hit_at(said, f"{name} is called without <<<...>>>", help)
