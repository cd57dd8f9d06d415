"""DG631."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class ForkedCuda(Diagnosis):
    """A process that already used CUDA was forked, and the child uses CUDA too.

    The state of the driver cannot be copied by fork(). It is enough that the parent touched CUDA while it
    imported a file: a tensor on the GPU at module level, a build that asks for the device.

    Start children with the method "spawn" (torch.multiprocessing.get_context("spawn"), DataLoader's
    multiprocessing_context), and do nothing with CUDA at import time.
    """

    code = "DG631"
    name = "forked-cuda"
    CASES = (Case("public_forked_cuda"),)  # the wording comes from public reports

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("RuntimeError", r"Cannot re-initialize CUDA in forked subprocess")
        if found is None:
            return None
        return hit_raised(
            found[0],
            "CUDA was used before the process was forked, so the child cannot use it",
            'start the child with the method "spawn", and touch no GPU while files are imported',
            span=user_frame(log, found[0].at, candidate),
        )
