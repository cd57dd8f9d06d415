"""DG113."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import FaultyText
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span


class PythonSyntax(FaultyText):
    """The file is no valid Python; nothing of it was run.

    Most often a colon, a comma or an operator is missing, or a line of CUDA slipped out of its string. Python marks where it
    stopped understanding; the mistake stands there or just before.

    Repair the named line. `python -m py_compile FILE.py` checks without running.
    """

    code = "DG113"
    name = "python-syntax"
    hides = ()
    told = r"^(?P<what>.*)"
    fact = "Python does not understand this line: {what}"
    remedy = "repair this line or the one before; `python -m py_compile` checks a file without running it"
    CASES = (
        Case("missing_colon", says="expected ':'", line=4),
        Case("python_missing_comma", says="comma", line=4),
    )

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        text = candidate.text.split("\n")[span.line - 1].strip()
        if match["what"] == "expected ':'" and re.fullmatch(r"(?:class|def|else|try|finally)\b[^#:]*", text):
            return Fix(span, f"{text}:")
        return None
