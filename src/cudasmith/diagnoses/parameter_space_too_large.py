"""DG310."""

from __future__ import annotations

import re

from cudasmith.cuda.demangle import demangle
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_OVERFLOWED = re.compile(
    r"^(?P<file>[^\s()][^()]*)\((?P<line>\d+)\): [Ee]rror\s*: Formal parameter space overflowed "
    r"\((?P<used>\d+) bytes required, max (?P<most>\d+) bytes allowed\) in function (?P<kernel>\w+)"
)


class ParameterSpaceTooLarge(Diagnosis):
    """The parameters of a kernel together are larger than a launch can carry.

    Parameters are copied into constant memory at each launch: at most 4096 bytes, or 32764 with CUDA
    12.1 and later on cards from sm_70. A struct passed by value counts in full, arrays within it too.

    Put the large part into a tensor or a __constant__ array, and pass a pointer to it.
    """

    code = "DG310"
    name = "parameter-space-too-large"
    CASES = (Case("parameter_space", says="36008 bytes", line=8),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_OVERFLOWED)
        if found is None:
            return None
        at, m = found
        kernel = demangle(m["kernel"]) or m["kernel"]
        return Hit(
            f"the parameters of {kernel} take {m['used']} bytes; {m['most']} are allowed",
            at,
            "put the large struct into device memory and pass a pointer to it",
            m["file"],
            int(m["line"]),
        )
