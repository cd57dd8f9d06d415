"""DG222."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix


class RemovedTorchHeader(Diagnosis):
    """A header of THC is included. torch no longer has it.

    THC was the CUDA library of early torch; it went away in version 1.11. Old extensions and tutorials still name it.

    Delete the include. `at::cuda::getCurrentCUDAStream()` is in ATen/cuda/CUDAContext.h, atomics for tensors' types are
    in ATen/cuda/Atomic.cuh, and errors are checked with C10_CUDA_CHECK.
    """

    code = "DG222"
    name = "removed-torch-header"
    CASES = (Case("removed_header", says="THC/THC.h", line=5),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, r"(?P<header>TH(?:C|CUNN|H)?/\S+): No such file or directory")
        if found is None:
            return None
        place = spot(log, found[0], candidate)
        fix = (
            Fix(place.line, "#include <torch/extension.h>")
            if place is not None and place.line is not None
            else None
        )
        return hit_at(
            found[0],
            f"the header {found[1]['header']} was removed from torch",
            "delete it; include <torch/extension.h>, and <ATen/cuda/CUDAContext.h> where the current stream is needed",
            fix=fix,
        )
