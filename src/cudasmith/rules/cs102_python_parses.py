"""CS102."""

from __future__ import annotations

from cudasmith.rules._cases import CORRECT, edit
from cudasmith.rules._rule import Rule, Verdicts, severities
from cudasmith.rules._subject import Subject


class PythonParses(Rule):
    """Python can read the file.

    The usual causes are a Markdown fence (see CS101), a triple quote that is never closed because the
    answer was cut off, and lost indentation. No other rule can say anything until this one is silent.
    """

    code = "CS102"
    name = "python-parses"
    severity = severities("error", "error")
    answers = "pure-source"
    BAD = (
        edit(("self.by)\n", "self.by))  # HERE\n")),
        "import torch\nsrc = r'''  # HERE\n__global__ void k() {}\n",
        "import torch\n  import math  # HERE\n",
    )
    GOOD = (CORRECT, 'pattern = "\\d"\n')

    def check(self, subject: Subject) -> Verdicts:
        fault = subject.file.fault
        if fault is not None:
            yield self.found(subject, fault.span, f"Python cannot read the file: {fault.message}")
