"""DG274."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(
    r"a pointer to a bound function may only be used to call|invalid use of (?:non-static )?member function"
    r"|invalid types .*<unresolved overloaded function type>.* for array subscript"
)
_INDEXED = re.compile(r"\.(?P<name>size|stride|sizes|strides)\[(?P<index>-?\w+)\]")


class MethodWithoutCall(Diagnosis):
    """A method of an object is named and not called: `x.size[0]`, `x.numel`.

    What is an attribute in Python (`x.shape[0]`, `x.device`, `x.dtype`) is a function in C++ and needs its parentheses.

    Write `x.size(0)`, `x.numel()`, `x.device()`, `x.scalar_type()`.
    """

    code = "DG274"
    name = "method-without-call"
    CASES = (Case("size_with_brackets", says="size", line=16),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        place = spot(log, found[0], candidate)
        indexed = _INDEXED.search(place.text) if place is not None else None
        if place is None or indexed is None:
            return hit_at(found[0], "a method is named and not called", "write () behind its name")
        name, index = indexed["name"].removesuffix("s"), indexed["index"]
        message = f"{indexed['name']} is a function and cannot be indexed with [{index}]"
        span = place.region.span(place.start + indexed.start("name"), place.start + indexed.end())
        fix = Fix(span, f"{name}({index})") if span is not None else None
        return hit_at(found[0], message, f"write .{name}({index})", fix=fix)
