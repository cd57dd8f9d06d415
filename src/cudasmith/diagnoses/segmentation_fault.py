"""DG701."""

from __future__ import annotations

import signal

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._process_end import ended_by
from cudasmith.model import Candidate


class SegmentationFault(Diagnosis):
    """The host part of the program used memory that is not its own, and the system ended it.

    It is C++ on the CPU, not the kernel: data_ptr() of a CUDA tensor read on the host, a CPU tensor's
    pointer where none was checked, a null pointer, an index outside an array, a function that should
    return a value and does not, recursion without end. Kernels cannot cause it.

    Put TORCH_CHECK(x.is_cuda()), dtype and size checks first in each host function. `python -X
    faulthandler FILE` prints the Python line; `gdb -ex run -ex bt --args python FILE` the C++ one.
    """

    code = "DG701"
    name = "segmentation-fault"
    CASES = (
        Case("rt_segfault", returncode=139),
        Case("end_segfault_faulthandler", says="end_segfault_faulthandler.py", line=9, returncode=-11),
        Case("end_shell_segfault"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        at = ended_by(log, signal.SIGSEGV, "Segmentation fault")
        if at is None:
            return None
        span = user_frame(log, at, candidate)
        where = (
            ""
            if span is None or candidate is None
            else f" in what {_name(candidate)} called at line {span.line}"
        )
        return Hit(
            f"the process read or wrote memory that is not its own{where}",
            at,
            "check pointers on the host: no data_ptr() of a CUDA tensor may be read there; "
            "`python -X faulthandler FILE` names the Python line",
            span=span,
        )


def _name(candidate: Candidate) -> str:
    return candidate.path.replace("\\", "/").rsplit("/", 1)[-1]
