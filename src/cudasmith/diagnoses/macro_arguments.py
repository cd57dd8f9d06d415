"""DG270."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf"macro {Q}(?P<name>\w+){Q} (?:requires (?P<wanted>\d+) arguments, but only (?P<given>\d+) given"
    rf"|passed (?P<passed>\d+) arguments, but takes just (?P<takes>\d+))"
)


class MacroArguments(Diagnosis):
    """A macro is used with another number of arguments than its definition has.

    The preprocessor counts the commas between the parentheses. One that is missing joins two arguments; one inside < > or
    { } separates two, since it knows nothing of C++.

    Write the missing argument or comma. Put an argument that has commas of its own in parentheses.
    """

    code = "DG270"
    name = "macro-arguments"
    hides = ("DG201", "DG211", "DG215", "DG216")  # what is left when the macro was not replaced
    CASES = (Case("module_block_without_comma", says="PYBIND11_MODULE", line=9),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        name = m["name"]
        if name == "PYBIND11_MODULE":
            help = "write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m), with the comma"
            return hit_at(said, "PYBIND11_MODULE takes the module's name and a variable", help)
        given, wanted = m["given"] or m["passed"], m["wanted"] or m["takes"]
        message = f"the macro {name} takes {wanted} arguments and is given {given}"
        if m["given"]:
            return hit_at(said, message, f"write what is missing, as the #define of {name} names it")
        return hit_at(said, message, "put an argument that has commas of its own in parentheses")
