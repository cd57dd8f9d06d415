"""DG117."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError, call_at
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.regions import BuildCall


class SourcesNone(PythonError):
    """load_inline was given None for cpp_sources.

    It puts its own line in front of the C++ sources, so they must be a text or a list of texts, even when all code is
    CUDA.

    Give an empty list or an empty text where there is no C++. With `functions=`, cpp_sources must declare the functions.
    """

    code = "DG117"
    name = "sources-none"
    type = "AttributeError|TypeError"
    told = r"^(?:'NoneType' object has no attribute 'insert'|unsupported operand type\(s\) for \+=: 'NoneType' and 'list'|can only join an iterable$)"
    within = "in load_inline"
    fact = "cpp_sources is None, and load_inline needs a text or a list"
    remedy = 'write cpp_sources="" (or the declarations of the functions that `functions=` names)'
    CASES = (Case("cpp_sources_none", line=3),)

    def argument(self, build: BuildCall, match: re.Match[str]) -> str:
        return "cpp_sources"

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        found = call_at(candidate, span)
        node = found[1].keywords.get("cpp_sources") if found else None
        if found is None or "functions" in found[1].keywords:
            return None
        none = isinstance(node, ast.Constant) and node.value is None
        return Fix(found[1].keyword_span("cpp_sources", found[0].source), '""') if none else None
