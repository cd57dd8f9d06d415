"""DG116."""

from __future__ import annotations

import ast
import difflib
import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file


class NameNotDefined(PythonError):
    """The Python code uses a name that is defined nowhere, or only further down.

    A variable was renamed at one of its places, is defined in another function, or stands below the call that uses
    it. Names inside of CUDA text do not count: they are no variables of Python.

    Define the name above, or use the one that is defined.
    """

    code = "DG116"
    name = "name-not-defined"
    type = "NameError|UnboundLocalError"
    told = r"^(?:name|(?:cannot access )?local variable|free variable) '(?P<name>\w+)' (?:is not defined|referenced before|where it is not|is not associated)"
    fact = "{name} is not defined where it is used"
    remedy = "define {name} above this line, or use the name that is defined"
    CASES = (Case("name_undefined", says="relu_src", line=5),)

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        model, wrong = parse_file(candidate), match["name"]
        near = difflib.get_close_matches(wrong, [n for n in model.bound if n != wrong], n=2, cutoff=0.8)
        used = [
            n
            for n in ast.walk(model.tree)
            if isinstance(n, ast.Name) and n.id == wrong and n.lineno == span.line
        ]
        return Fix(model.source.node_span(used[0]), near[0]) if len(near) == 1 == len(used) else None
