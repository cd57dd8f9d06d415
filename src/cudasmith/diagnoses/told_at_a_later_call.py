"""DG624."""

from __future__ import annotations

import re

from cudasmith.diagnoses._cuda_error import LATE
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_HINT = re.compile(r"CUDA kernel errors might be asynchronously reported")
_ERROR = re.compile(r"CUDA error: ")


class ToldAtALaterCall(Diagnosis):
    """The traceback ends at the call that noticed the error, not at the kernel that made it.

    A launch returns at once and the kernel runs later. A fault inside it is found by the next call that
    waits: .item(), .cpu(), torch.cuda.synchronize(), print of a tensor, or another launch's check.

    Run once more with CUDA_LAUNCH_BLOCKING=1 in the environment, set before Python starts: each launch
    then waits, and the traceback ends at the right one.
    """

    code = "DG624"
    name = "told-at-a-later-call"
    severity = "info"
    CASES = (  # the wordings come from public reports
        Case("public_illegal_memory_access", first=False),
        Case("public_tail_of_a_log"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_HINT)
        if found is None:
            return None
        at = found[0]
        errors = [line for line in log.lines[:at] if _ERROR.search(line)]
        if errors and not any(text in line for line in errors for text in LATE):
            return None
        return Hit(
            "the traceback may end at a call after the kernel that failed",
            at,
            "run again with CUDA_LAUNCH_BLOCKING=1 set before Python starts: the traceback then ends at the launch",
        )
