"""DG239."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class ExceptionsInDevice(Diagnosis):
    """Device code uses `throw`, `try` or `catch`.

    The GPU has no exceptions: a thread cannot unwind its stack, and there is nobody to catch.

    Check the conditions on the host before the launch with TORCH_CHECK. In a kernel use `assert`, or write an error
    flag to memory.
    """

    code = "DG239"
    name = "exceptions-in-device"
    CASES = (Case("exceptions_in_kernel", says="throw", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, "device code does not support exception handling")
        if found is None:
            return None
        message = "device code cannot throw or catch"
        return hit_at(
            found[0],
            message,
            "check before the launch with TORCH_CHECK; in the kernel use assert or an error flag",
        )
