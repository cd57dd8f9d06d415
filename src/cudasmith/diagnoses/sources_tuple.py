"""DG119."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError, bracketed, call_at
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.regions import BuildCall


class SourcesTuple(PythonError):
    """load_inline was given its sources as a tuple or a set; it takes a text or a list.

    It puts its own lines into the list that it gets, and a tuple cannot be changed. A comma behind a single
    text makes a tuple without anyone meaning it.

    Write a list in square brackets, or the text alone.
    """

    code = "DG119"
    name = "sources-tuple"
    type = "AttributeError|TypeError"
    told = r"^(?:'(?P<kind>tuple|set|dict)' object has no attribute 'insert'|can only concatenate tuple \(not \"list\"\) to tuple)"
    within = "in load_inline"
    fact = "the sources are a {kind}, and load_inline takes a text or a list"
    remedy = "write the sources as a list: [source]"
    CASES = (Case("cuda_sources_tuple", says="tuple", line=3),)

    def argument(self, build: BuildCall, match: re.Match[str]) -> str:
        given = [
            k
            for k in ("cpp_sources", "cuda_sources")
            if isinstance(build.keywords.get(k), (ast.Tuple, ast.Set, ast.Dict))
        ]
        return given[0] if len(given) == 1 else ""

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        found = call_at(candidate, span)
        if found is None:
            return None
        nodes = (found[1].keywords.get(k) for k in ("cpp_sources", "cuda_sources"))
        return next((f for n in nodes if (f := bracketed(found[0], n))), None)
