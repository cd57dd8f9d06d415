"""DG248."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, at_caret, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import Spot, spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Span

_SAID = re.compile(
    rf"expression must be a modifiable lvalue|assignment of read-only (?:location|variable|parameter) {Q}(?P<gxx>.*){Q}"
)
_TARGET = r"\w[\w.]*(?:\[[^\]]*\])?"


def _before_sign(place: Spot) -> re.Match[str] | None:
    """What stands before the = or += at the caret, where g++ points at that."""
    before = place.region.text[place.start : place.caret] if place.caret is not None else ""
    return re.search(rf"({_TARGET})\s*$", before)


def _span(place: Spot, target: re.Match[str] | None) -> Span | None:
    if place.caret is None or target is None:
        return None
    if target.lastindex is None:  # at the caret itself
        return place.region.span(place.caret, place.caret + target.end())
    return place.region.span(place.start + target.start(1), place.start + target.end(1))


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
        place = spot(log, said, candidate)
        before = _before_sign(place) if place is not None else None
        target = re.match(_TARGET, at_caret(log, said)) or before
        # g++ writes an element as the arithmetic of its address: the user's own text is told instead
        name = (
            target[target.lastindex or 0]
            if target
            else m["gxx"]
            if re.fullmatch(r"[\w.:>-]+", m["gxx"] or "")
            else "this"
        )
        return hit_at(
            said,
            f'"{name}" cannot be assigned to',
            "is it const, or a whole array? write to the output, or drop the const",
            span=_span(place, target) if place is not None else None,
        )
