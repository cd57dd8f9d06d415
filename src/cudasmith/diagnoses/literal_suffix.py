"""DG272."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(
    rf'user-defined literal operator not found|unable to find numeric literal operator {Q}operator""|invalid suffix {Q}?'
)
_WHOLE = re.compile(r"(?<![\w.])(?P<digits>\d+)(?P<suffix>[fF])(?!\w)")


class LiteralSuffix(Diagnosis):
    """A number ends in letters that mean nothing to C++, such as `2f`.

    The suffix f makes a float of a number that has a point or an exponent: `2.f`, `2.0f`, `1e-5f`. Behind a whole number it
    is taken for a literal operator of somebody's own, which nobody has defined.

    Write `2.f`.
    """

    code = "DG272"
    name = "literal-suffix"
    CASES = (Case("whole_number_with_f", says="2f", line=11),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        place = spot(log, found[0], candidate)
        numbers = list(_WHOLE.finditer(place.text)) if place is not None else []
        if place is None or len(numbers) != 1:
            return hit_at(found[0], "a number has a suffix that C++ does not know", "write 2.f, not 2f")
        number = numbers[0]
        span = place.region.span(place.start + number.start(), place.start + number.end())
        text = f"{number['digits']}.{number['suffix']}"
        fix = Fix(span, text) if span is not None else None
        return hit_at(found[0], f"{number[0]} is no number of C++", f"write {text}", fix=fix)
