"""DG710."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_ASKED = re.compile(r"you tried to allocate (?P<bytes>\d+) bytes")
_ALLOCATOR = r"DefaultCPUAllocator: (?:can't allocate memory|not enough memory)"


_COMPILER = re.compile(
    r"^(?:virtual memory exhausted: Cannot allocate memory|(?:\S*/)?(?:cc1plus|cudafe\+\+|cicc|ptxas|as|ld)\S*: (?:error: )?"
    r"out of memory|cc1plus\S*: out of memory allocating)"
)


class HostOutOfMemory(Diagnosis):
    """The CPU's memory did not suffice for one allocation.

    A tensor made on the CPU by mistake (no device=), a size computed wrongly (a product that overflowed
    is negative or gigantic), or simply an input too large for the machine.

    Look at the amount: if it is absurd, look for the size; otherwise make the tensor on the GPU, or the
    input smaller.
    """

    code = "DG710"
    name = "host-out-of-memory"
    CASES = (
        Case("end_host_memory", says="4194304.0 GiB", line=3),
        Case("end_bad_alloc", line=3),
        Case("compiler_memory_exhausted"),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        if (compiler := log.find(_COMPILER)) is not None:
            help = (
                "build with MAX_JOBS=1, give the machine or the container more memory, or raise `ulimit -v`"
            )
            return Hit("the compiler has not enough memory", compiler[0], help)
        found = log.exception("RuntimeError", _ALLOCATOR) or log.exception("MemoryError", "")
        if found is None:
            return None
        raised = found[0]
        asked = _ASKED.search(raised.text)
        amount = f": {int(asked['bytes']) / 2**30:.1f} GiB were asked for" if asked else ""
        return hit_raised(
            raised,
            f"the host has not enough memory{amount}",
            "check the size that is computed there, and whether the tensor was meant to be on the GPU",
            span=user_frame(log, raised.at, candidate),
        )
