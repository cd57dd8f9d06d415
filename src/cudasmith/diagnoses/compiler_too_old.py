"""DG817."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, flag_span
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_TOLD = re.compile(
    rf"unrecognized command[- ]line option {Q}-std=(?P<gcc>[\w+]+)"
    rf"|Value {Q}(?P<nvcc>(?:c|gnu)\+\+\w+){Q} is not defined for option {Q}std{Q}"
)


class CompilerTooOld(Diagnosis):
    """The compiler does not know the C++ standard that it was asked for.

    torch asks for the standard that its headers need: C++17, and C++20 from version 2.14 on. gcc knows C++20 well from version 11,
    nvcc from 12.0. An -std flag among the own flags may also ask for more than the compiler has.

    Install a newer compiler (name it with CXX and -ccbin) or a newer toolkit; and leave -std out of the flags.
    """

    code = "DG817"
    name = "compiler-too-old"
    hides = ("DG266",)  # the general one
    CASES = (
        Case("gcc_too_old", says="c++26"),
        Case("nvcc_std_unknown", says="c++23"),
        Case("nvcc_std", says="c++23", line=13),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(_TOLD)
        if found is None:
            return None
        said, match = found
        standard = match["gcc"] or match["nvcc"]
        span = flag_span(candidate, standard)
        help = (
            f"take {standard} out of the flags"
            if span
            else "use a newer compiler or toolkit, and leave -std out"
        )
        tool = "nvcc" if match["nvcc"] else "the compiler"
        return Hit(f"{tool} does not know the standard {standard}", said.at, help, span=span)
