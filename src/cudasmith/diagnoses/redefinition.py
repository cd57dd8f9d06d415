"""DG254."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate

_SAID = re.compile(
    rf'(?:function|variable|class|type name|function template|class template|enum) "(?P<edg>.*?)" has already been defined'
    rf'(?: \(previous definition at line (?P<line>\d+)\))?|"(?P<scope>\w+)" has already been declared in the current scope'
    rf"|redefinition of {Q}(?P<gxx>.*?){Q}|conflicting declaration {Q}(?P<conflict>.*?){Q}"
)


class Redefinition(Diagnosis):
    """A function, variable or type is defined twice in one source.

    The sources of one kind are joined by load_inline to one file, so a helper that stands in two of them is there twice. A
    copied kernel that kept its name is the other usual case.

    Delete one of the two, or rename it.
    """

    code = "DG254"
    name = "redefinition"
    CASES = (
        Case("for_with_comma", says="for", line=6),
        Case("redefinition", says="relu_k", line=8),
        Case("redeclared_variable", says='"i"', line=7),
        Case("gxx_redefinition", says="relu", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        name = m["edg"] or m["scope"] or m["gxx"] or m["conflict"]
        if re.search(r"\b(?:PyInit_|pybind11_)", name):
            return None
        place = spot(log, said, candidate)
        earlier = place.earlier(int(m["line"]), said.line) if place and m["line"] and said.line else None
        notes = (f"first defined at line {earlier.line}",) if earlier is not None else ()
        what = "declared" if m["scope"] else "defined"
        if m["scope"] and place is not None and re.search(rf"\bfor\s*\([^;]*,\s*{name}\b", place.text):
            help = "separate the parts of for (...; ...; ...) by semicolons"
            return hit_at(said, f'behind the comma in this "for", {name} is declared once more', help)
        return hit_at(said, f'"{name}" is {what} twice', "delete or rename one of the two", notes=notes)
