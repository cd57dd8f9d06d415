"""DG401."""

from __future__ import annotations

import re

from cudasmith.cuda.demangle import demangle
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SYMBOL = re.compile(r"undefined symbol: (?P<symbol>\w+)")


class UndefinedSymbol(Diagnosis):
    """The module was linked, but a function that it calls is defined nowhere.

    A shared library may be linked with holes; they show only when Python loads it. Most often a function is declared
    with one signature (in cpp_sources, say) and defined with another (in cuda_sources): `int` and `int64_t`, a value
    and a reference, another namespace, or `static`. C++ makes two different functions of them.

    Give the declaration and the definition the same signature, letter by letter, or drop the declaration: with the
    whole text in cuda_sources and cpp_sources empty there is nothing to disagree.
    """

    code = "DG401"
    name = "undefined-symbol"
    CASES = (Case("declared_not_defined", says="relu_forward(unsigned long, unsigned long, int)"),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(_SYMBOL)
        if found is None:
            return None
        at, match = found
        symbol = match["symbol"]
        function = demangle(symbol) or symbol
        return Hit(
            f"{function} is called and defined nowhere",
            at,
            "define it with exactly this signature, or make the declaration agree with the definition you have",
            notes=(f"mangled: {symbol}",) if function != symbol else (),
        )
