"""DG612."""

from __future__ import annotations

import re

import attrs

from cudasmith.diagnoses._access import Blame, blamed_assert
from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._launches import OnlyLaunch
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

# /home/user/ext/cuda.cu:12: kernel: block: [0,0,0], thread: [32,0,0] Assertion `i < n` failed.
_ASSERTION = re.compile(
    r"^(?P<file>\S.*?):(?P<line>\d+):(?: (?P<function>.*):)? block: \[(?P<block>[\d,]+)\], "
    r"thread: \[(?P<thread>[\d,]+)\] Assertion `(?P<condition>.*)` failed"
)

_OWN = re.compile(r"(?:^|/)(?:cuda\.cu|main\.cpp)$")


class DeviceAssert(CudaError):
    """An assert() inside a kernel was false.

    The kernel's own line stands in front of the Python error, once per thread. Kernels of torch assert
    that indices are in range: a class number outside the logits, an index beyond the rows of an
    embedding, a probability outside [0, 1].

    Check the values that the condition names. The fault is told at a later CUDA call and at all calls
    after that, so run with CUDA_LAUNCH_BLOCKING=1 in a new process; on the CPU the same input gives a
    plain exception.
    """

    code = "DG612"
    name = "device-assert"
    names = ("cudaErrorAssert", "CUDA_ERROR_ASSERT")
    text = "device-side assert triggered"
    number = 710
    fact = "an assert() in a kernel failed"
    remedy = "run the same input on the CPU, or with CUDA_LAUNCH_BLOCKING=1: then the traceback ends at the right call"
    CASES = (  # the wordings come from public reports
        Case("public_device_assert", says="`srcIndex < srcSelectDimSize`"),
        Case("public_device_assert_bare"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = super().match(log, candidate)
        told = log.find(_ASSERTION)
        if told is None:
            return found
        at, m = told
        hit = found or self.hit(Spoken(at), log, candidate)
        return attrs.evolve(
            hit,
            at=min(at, hit.at),
            message=f"an assertion in a kernel failed: `{m['condition']}`",
            help=f"check what `{m['condition']}` compares; first seen by thread [{m['thread']}] of block [{m['block']}]",
            span=None if _OWN.search(m["file"]) else hit.span,
            file=m["file"],
            line=int(m["line"]),
            notes=(*hit.notes, f"it stands in {m['file']}, line {m['line']}"),
        )

    def blame(self, launch: OnlyLaunch) -> Blame | None:
        return blamed_assert(launch)
