"""DG705."""

from __future__ import annotations

import signal

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._process_end import ended_by
from cudasmith.model import Candidate


class FloatingPointException(Diagnosis):
    """The host code divided an integer by zero. Despite its name the signal has nothing to do with floating
    point.

    `numel / channels` or `i % width` with a size that is 0: an empty tensor, a dimension of length 0, a
    group count that was rounded down to 0. On the GPU the same division gives garbage without any signal.

    Check sizes first: return early for numel() == 0 and TORCH_CHECK every divisor.
    """

    code = "DG705"
    name = "floating-point-exception"
    CASES = (Case("end_divide_by_zero", returncode=136), Case("end_divide_by_zero", returncode=-8))

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        at = ended_by(log, signal.SIGFPE, "Floating point exception")
        if at is None:
            return None
        return Hit(
            "the host code divided an integer by zero",
            at,
            "look for / and % by a size in the host functions: return early for empty tensors, TORCH_CHECK the divisor",
            span=user_frame(log, at, candidate),
        )
