"""DG256."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_PYTHON = re.compile(
    r"^(?:\s*\d+ \|)?\s*(?P<source>for \w+ in .*:|for \(?(?:\w+ )?\w+ in range\(.*|(?:\}\s*)?elif\b.*|def \w+\(.*|while .*:|if [^(].*:|import \w+.*)$"
)


class PythonInCuda(Diagnosis):
    """A statement of Python stands in the CUDA or C++ text: `for i in range(n):`, `elif`, `def`, `None`.

    The two languages were mixed up while translating. The compiler reads the first words as C++ and complains about a
    bracket or a name that is not there.

    Write it in C++: `for (int i = 0; i < n; ++i) { ... }`, `else if (...)`, `nullptr`.
    """

    code = "DG256"
    name = "python-in-cuda"
    proves = True
    hides = ("DG201", "DG211", "DG215")
    CASES = (
        Case("range_loop_with_type", says="range", line=6),
        Case("python_and", says="for i in range(n):", line=6),
        Case("elif_in_cuda", says="elif", line=13),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log, rf'expected|identifier ".*" is undefined|{Q}.*{Q} (?:does not name|was not declared)'
        )
        shown = detail(log, found[0], _PYTHON.pattern) if found is not None else None
        if found is None or shown is None:
            return None
        source = shown["source"].strip()
        place = spot(log, found[0], candidate)
        fix = None
        loop = re.fullmatch(r"for (\w+) in range\((\w+)\):", source)
        if loop is not None and place is not None and place.line is not None and place.text.strip() == source:
            fix = Fix(place.line, f"for (int {loop[1]} = 0; {loop[1]} < {loop[2]}; ++{loop[1]})")
        return hit_at(
            found[0], f"a statement of Python stands in the code: {source}", "write it in C++", fix=fix
        )
