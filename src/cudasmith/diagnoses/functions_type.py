"""DG120."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError, bracketed, call_at
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.regions import BuildCall


class FunctionsType(PythonError):
    """The `functions` argument of load_inline is neither a text, a list nor a dict.

    load_inline checks for exactly these types; a tuple or a set is refused though it holds the same names.

    Write `functions=["relu", "gelu"]`, or a dict from name to doc string.
    """

    code = "DG120"
    name = "functions-type"
    type = "ValueError"
    told = r"^Expected 'functions' to be a list or dict, but was <class '(?P<kind>[\w.]+)'>"
    fact = "`functions` is a {kind}, and load_inline takes a list or a dict"
    remedy = "write the names in square brackets: functions=[...]"
    CASES = (Case("functions_tuple", says="tuple", line=4), Case("functions_set", says="set", line=22))

    def argument(self, build: BuildCall, match: re.Match[str]) -> str:
        return "functions"

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        found = call_at(candidate, span)
        return bracketed(found[0], found[1].keywords.get("functions")) if found else None
