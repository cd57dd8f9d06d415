"""DG632."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class TorchWithoutCuda(Diagnosis):
    """The installed torch is the build for CPUs: it cannot use a GPU, whatever the machine has.

    pip takes the CPU build on some systems and from the index .../whl/cpu; the version then ends in +cpu
    and torch.version.cuda is None. Another package may have replaced the CUDA build on installation.

    Install a build with CUDA from the index that pytorch.org names for the machine's driver.
    """

    code = "DG632"
    name = "torch-without-cuda"
    CASES = (Case("torch_without_cuda", line=3),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("AssertionError", r"Torch not compiled with CUDA enabled")
        if found is None:
            return None
        return hit_raised(
            found[0],
            "the installed torch is built for CPUs only",
            "install a CUDA build of torch (pytorch.org names the index); torch.version.cuda must not be None",
            span=user_frame(log, found[0].at, candidate),
        )
