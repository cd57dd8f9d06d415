"""DG237."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class LaunchInKernel(Diagnosis):
    """A kernel launches another kernel, which needs another way of building.

    Launches from the GPU need code that is compiled and linked separately (`-rdc=true` and the device runtime);
    load_inline does neither.

    Launch from the host: one after another in the same stream runs in order. Shared code belongs into a `__device__`
    function.
    """

    code = "DG237"
    name = "launch-in-kernel"
    CASES = (Case("launch_in_kernel", says="launch", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log, "kernel launch from __device__ or __global__ functions requires separate compilation"
        )
        if found is None:
            return None
        return hit_at(
            found[0],
            "a kernel launches a kernel, which load_inline does not build",
            "launch both from the host, in order, or make the inner one a __device__ function and call it",
        )
