"""DG248."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, at_caret, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf"expression must be a modifiable lvalue|assignment of read-only (?:location|variable|parameter) {Q}(?P<gxx>.*){Q}"
)


class WriteThroughConst(Diagnosis):
    """Something is assigned that may not change: a `const`, an array as a whole, or the result of an expression.

    The pointer was declared `const`, most often because input and output were swapped or a parameter was copied from an
    input. Arrays are assigned element by element.

    Write to the output, or drop the `const` if this really is an output.
    """

    code = "DG248"
    name = "write-through-const"
    CASES = (
        Case("write_through_const", says="x[threadIdx.x]", line=6),
        Case("modify_const_variable", says='"n"', line=7),
        Case("c_style_designated", says='"s"', line=7),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        target = re.match(r"\w[\w.]*(?:\[[^\]]*\])?", at_caret(log, said))
        name = m["gxx"] or (target[0] if target else "this")
        return hit_at(
            said,
            f'"{name}" cannot be assigned to',
            "is it const, or a whole array? write to the output, or drop the const",
        )
