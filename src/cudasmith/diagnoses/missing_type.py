"""DG229."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, at_caret, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class MissingType(Diagnosis):
    """A function or variable has no type in its declaration.

    C++ has no default type: `__device__ helper(float v)` must say what it returns.

    Write the type: `__device__ float helper(float v)`; `void` if nothing is returned.
    """

    code = "DG229"
    name = "missing-type"
    CASES = (Case("missing_return_type", says="helper", line=5),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log,
            rf'explicit type is missing \("int" assumed\)|ISO C\+\+ forbids declaration of {Q}(?P<gxx>\w+){Q} with no type',
        )
        if found is None:
            return None
        said, m = found
        name = re.match(r"\w+", at_caret(log, said))
        if name is not None and at_caret(log, said).startswith("::", name.end()):
            return None  # an unknown namespace
        what = m["gxx"] or (name[0] if name else "this")
        return hit_at(
            said, f'"{what}" has no type', f"write the type before {what}, or void if it returns nothing"
        )
