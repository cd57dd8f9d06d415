"""DG225."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, at_caret, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix


class MissingCapture(Diagnosis):
    """A lambda uses a variable of the function around it without capturing it.

    The brackets in front of a lambda list what it may use from outside; empty brackets mean nothing.

    Write `[=]` to copy what is used, or `[&]` to refer to it (not for lambdas that a kernel is given).
    """

    code = "DG225"
    name = "missing-capture"
    CASES = (Case("lambda_capture_missing", says="capture", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log,
            rf"an enclosing-function local variable cannot be referenced in a lambda|{Q}\w+{Q} is not captured",
        )
        if found is None:
            return None
        said = found[0]
        name = re.match(r"\w+", at_caret(log, said))
        what = f'"{name[0]}"' if name else "a variable"
        place = spot(log, said, candidate)
        fix = None
        if place is not None and place.text.count("[](") == 1:
            at = place.start + place.text.index("[](")
            span = place.region.span(at, at + 2)
            fix = Fix(span, "[=]") if span is not None else None
        return hit_at(
            said,
            f"the lambda uses {what} and does not capture it",
            "write [=] in front of the lambda",
            fix=fix,
        )
