"""DG404."""

from __future__ import annotations

import re

from cudasmith.cuda.demangle import demangle
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._symbol import bare, definition_span
from cudasmith.model import Candidate

_TWICE = re.compile(r"multiple definition of [`'‘](?!PyInit_)(?P<name>[^'’]+)['’]")


class DefinedTwice(Diagnosis):
    """A function or variable has a body in two sources of one module.

    Both the C++ and the CUDA source are compiled to a file each, and linked: a name may have one
    definition in all. A body pasted into both, or in a header that both include, gives two.

    Keep the body in cuda_sources and only its declaration, `void f(...);`, in cpp_sources; mark what a
    header defines `inline`.
    """

    code = "DG404"
    name = "defined-twice"
    CASES = (Case("defined_twice", says="relu(long, long, int)", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_TWICE)
        if found is None:
            return None
        at, m = found
        name = demangle(m["name"]) or m["name"]
        return Hit(
            f"{name} is defined in two sources of the module",
            at,
            f"keep the body of {bare(name)} in one source and only its declaration in the other",
            span=definition_span(candidate, m["name"]),
        )
