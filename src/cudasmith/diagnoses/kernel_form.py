"""DG234."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(
    r"a __global__ function (?:must have a (?P<void>void) return type|cannot have (?P<ellipsis>ellipsis))"
    r"|[Aa] __global__ function or function template cannot be a (?P<member>member) function"
)


class KernelForm(Diagnosis):
    """A `__global__` function is declared in a way that kernels may not have.

    A kernel returns nothing, takes no variable argument list, and is no member of a class: nobody on the host waits for a
    value, and no object is there to be called on.

    Declare it `__global__ void`, at file scope or as a static template outside of the class; return results through a
    pointer.
    """

    code = "DG234"
    name = "kernel-form"
    CASES = (
        Case("kernel_returns_value", says="must return void", line=5),
        Case("virtual_in_kernel", says="...", line=5),
        Case("global_in_class", says="member", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, match = found
        if match["member"]:
            return hit_at(
                said,
                "a kernel may not be a member of a class",
                "move it out of the class; pass what it needs",
            )
        if match["ellipsis"]:
            return hit_at(
                said, "a kernel may not have a parameter list that ends in ...", "name every parameter"
            )
        place = spot(log, said, candidate)
        fix = None
        if place is not None and (
            m := re.search(r"__global__\s+(?P<type>float|int|double|half|auto)\s+\w+\s*\(", place.text)
        ):
            span = place.region.span(place.start + m.start("type"), place.start + m.end("type"))
            fix = Fix(span, "void") if span is not None else None
        return hit_at(
            said,
            "a kernel must return void",
            "declare it __global__ void; write results through a pointer",
            fix=fix,
        )
