"""DG132."""

from __future__ import annotations

import ast
import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file


class SuperInitMissing(PythonError):
    """A module's __init__ assigns layers or parameters before it has called that of nn.Module.

    nn.Module keeps its parts in tables that its own __init__ makes. Without them nothing can be registered.

    Make `super().__init__()` the first line of __init__.
    """

    code = "DG132"
    name = "super-init-missing"
    type = "AttributeError"
    told = r"^cannot assign (?P<what>\w+) before Module\.__init__\(\) call|^'(?P<model>\w+)' object has no attribute '_(?:parameters|buffers|modules)'"
    fact = "__init__ assigns to self before super().__init__() was called"
    remedy = "write super().__init__() as the first line of __init__"
    CASES = (
        Case("run_no_super_init", line=5),
        Case("no_super_init", line=7),
    )

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        holders = [
            n
            for n in ast.walk(parse_file(candidate).tree)
            if isinstance(n, ast.FunctionDef)
            and n.name == "__init__"
            and n.lineno < span.line <= (n.end_lineno or 0)
        ]
        if not holders or "super().__init__" in "\n".join(
            candidate.text.split("\n")[holders[0].lineno : holders[0].end_lineno]
        ):
            return None
        first = holders[0].body[0]
        return Fix(Span(first.lineno, 1, first.lineno, 1), f"{' ' * first.col_offset}super().__init__()\n")
