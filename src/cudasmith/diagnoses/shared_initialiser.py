"""DG261."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(
    r"initializer not allowed for __shared__ variable|dynamic initialization is not supported for a (?:function-scope )?.*__shared__"
)
_DECLARED = re.compile(r"^(?P<before>\s*__shared__\s+[\w:]+\s+(?P<name>\w+))\s*=\s*(?P<value>[^;{}]+);\s*$")


class SharedInitialiser(Diagnosis):
    """A `__shared__` variable is given a value in its declaration.

    Shared memory has no start value: every block gets it as the last block left it, and it belongs to all threads, so no
    single thread's declaration can set it.

    Declare it without a value; let one thread write the value, and put `__syncthreads()` behind it.
    """

    code = "DG261"
    name = "shared-initialiser"
    CASES = (Case("shared_initialiser", says="total", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said = found[0]
        place = spot(log, said, candidate)
        m = _DECLARED.match(place.text) if place is not None else None
        if place is None or m is None or place.line is None:
            return hit_at(
                said,
                "a __shared__ variable has a start value",
                "let one thread write it, then __syncthreads()",
            )
        name, value = m["name"], m["value"].strip()
        text = f"{m['before'].strip()}; if (threadIdx.x == 0) {name} = {value}; __syncthreads();"
        help = f"let one thread write {value} to {name}, then __syncthreads()"
        return hit_at(
            said, f"the __shared__ variable {name} has a start value", help, fix=Fix(place.line, text)
        )
