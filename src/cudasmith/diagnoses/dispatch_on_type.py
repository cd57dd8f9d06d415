"""DG235."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(
    r'no suitable conversion function from "(?:const )?at::DeprecatedTypeProperties" to "(?:c10|at)::ScalarType"'
    r"|cannot convert .*DeprecatedTypeProperties.* to .*ScalarType"
)


class DispatchOnType(Diagnosis):
    """AT_DISPATCH_... is given `tensor.type()`, as in extensions for early torch.

    `type()` returned what is now the scalar type. Today it returns something else that does not convert.

    Write `tensor.scalar_type()`.
    """

    code = "DG235"
    name = "dispatch-on-type"
    CASES = (Case("dispatch_on_type", says=".type()", line=8),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        place = spot(log, found[0], candidate)
        fix = None
        if place is not None and place.text.count(".type()") == 1:
            at = place.start + place.text.index(".type()")
            span = place.region.span(at + 1, at + len(".type"))
            fix = Fix(span, "scalar_type", safe=True) if span is not None else None
        return hit_at(found[0], "AT_DISPATCH is given .type() of a tensor", "write .scalar_type()", fix=fix)
