"""DG129."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file


class FunctionNotBound(PythonError):
    """The Python code calls a function that the built module does not have.

    A module has what PYBIND11_MODULE defines with m.def, or what `functions=` lists, under exactly these names. The C++
    function may be there and still not be bound.

    Call one of the bound names, or bind the missing one. `print(dir(module))` shows what there is.
    """

    code = "DG129"
    name = "function-not-bound"
    type = "AttributeError"
    told = r"^module '(?P<module>(?!torch\b|numpy\b|math\b)\w+)' has no attribute '(?P<name>\w+)'(?:\. Did you mean: '\w+'\?)?$"
    fact = "the module {module} has no function {name}"
    remedy = "bind it with m.def or `functions=`, or call a name that is bound; dir(module) lists them"
    CASES = (
        Case("call_near_name", says="rowsum", line=5),
        Case("call_wrong_name", line=5),
        Case("rt_wrong_attr", says="forward"),
        Case("module_attribute", says="value", line=16),
    )

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        model = parse_file(candidate)
        bound = [f for b in model.builds for f in b.functions or ()]
        used = [
            n
            for n in ast.walk(model.tree)
            if isinstance(n, ast.Attribute) and n.attr == match["name"] and n.lineno == span.line
        ]
        if len(bound) != 1 or len(used) != 1 or used[0].end_col_offset is None:
            return None
        end = used[0].end_col_offset + 1
        return Fix(Span(span.line, end - len(match["name"]), span.line, end), bound[0])
