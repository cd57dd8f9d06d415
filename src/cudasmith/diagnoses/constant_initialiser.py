"""DG262."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    r"dynamic initialization is not supported for an? (?P<space>__constant__|__device__|__managed__)"
)


class ConstantInitialiser(Diagnosis):
    """A `__constant__` or `__device__` variable is given a value that must be computed at the start of the program.

    These variables live on the GPU and are filled when the module is loaded, before any function runs. Only values that the
    compiler can compute are possible.

    Use literals or `constexpr` functions, copy the value later with cudaMemcpyToSymbol, or pass it to the kernel as a
    parameter.
    """

    code = "DG262"
    name = "constant-initialiser"
    CASES = (Case("constant_dynamic_initialiser", says="__constant__", line=7),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        space = found[1]["space"]
        message = f"the value of a {space} variable is not known to the compiler"
        return hit_at(
            found[0],
            message,
            "use a literal or a constexpr function, or pass the value as a kernel parameter",
        )
