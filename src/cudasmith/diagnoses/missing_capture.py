"""DG225."""

from __future__ import annotations

import re

from cudasmith.cuda.tokens import matching, tokenize
from cudasmith.diagnoses._compile import Q, at_caret, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import Spot, spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_LAMBDA = re.compile(
    r"(?<![\w\])])(?<!delete)\s*(?P<brackets>\[[^\[\];{}]*\])\s*(?:\([^(){};]*\)\s*)?(?:(?:mutable|__device__|__host__)\s*)*"
    r"(?:->\s*[\w:<>&*]+\s*)?\{"
)


class MissingCapture(Diagnosis):
    """A lambda uses a variable of the function around it without capturing it.

    The brackets in front of a lambda list what it may use from outside; empty brackets mean nothing.

    Write `[=]` to copy what is used, or `[&]` to refer to it (not for lambdas that a kernel is given).
    """

    code = "DG225"
    name = "missing-capture"
    CASES = (
        Case("lambda_capture_missing", says="capture", line=6),
        Case("lambda_one_captured", says="begins with [a]", line=6),
        Case("dispatch_captures_nothing", says="begins with []", line=15),
    )

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
        brackets = _brackets(place) if place is not None else None
        if place is None or brackets is None:
            help = "write [=] in front of the lambda"
            return hit_at(said, f"the lambda uses {what} and does not capture it", help)
        text, (start, end) = place.region.text, brackets
        all_ = "[&]" if re.search(r"AT_DISPATCH_\w+\s*\([^;{}]*$", text[:start]) else "[=]"
        span = place.region.span(start, end)
        fix = Fix(span, all_) if span is not None and not text[start + 1 : end - 1].strip() else None
        return hit_at(
            said,
            f"the lambda uses {what} and does not capture it: it begins with {text[start:end]}",
            f"write {all_} in front of the lambda",
            fix=fix,
            span=span,
        )


def _brackets(place: Spot) -> tuple[int, int] | None:
    """The brackets of the innermost lambda around an error."""
    text, found = place.region.text, None
    for m in _LAMBDA.finditer(text, 0, place.end + 1):
        tokens = tokenize(text[m.end() - 1 :])
        close = matching(tokens, 0)
        if close is None or m.end() + tokens[close].start >= place.start:
            found = m.span("brackets")
    return found
