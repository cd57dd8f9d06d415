"""DG108."""

from __future__ import annotations

import ast

from cudasmith.diagnoses._diagnosis import Case, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log, Raised
from cudasmith.diagnoses._python import FaultyText
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file


class FStringBraces(FaultyText):
    """CUDA text stands in an f-string, and Python takes the braces of the C++ blocks for its own.

    In f\"\"\"...\"\"\" everything between { and } is Python. A kernel's body is no Python, so the file does not even load; or
    a list like {a, b} is taken for variables that do not exist.

    Write {{ and }} for every brace that is meant for C++; or use a plain r\"\"\"...\"\"\" and put the numbers in with
    `.replace("BLOCK", str(block))`, or pass them as -D flags or arguments.
    """

    code = "DG108"
    name = "f-string-braces"
    hides = ("DG103", "DG107", "DG113", "DG116")
    CASES = (
        Case("f_string_braces", line=6),
        Case("f_string_single_brace", line=8),
        Case("f_string_name", line=6),
        Case("f_string_plain_name", says="first", line=4),
        Case("f_string_number", line=4),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("SyntaxError", r"^f-string: (?!unterminated)")
        if found is not None:
            return self._hit(
                found[0],
                "the braces of C++ in an f-string are read as Python",
                self.place(log, found[0], candidate),
            )
        named = log.exception("NameError", r"^name '(?P<name>\w+)' is not defined")
        if named is None or candidate is None:
            return None
        span = user_frame(log, named[0].at, candidate)
        if span is None or not _in_long_f_string(candidate, span):
            return None
        return self._hit(
            named[0], f"{named[1]['name']} stands in braces of an f-string and is read as Python", span
        )

    @staticmethod
    def _hit(raised: Raised, message: str, span: Span | None) -> Hit:
        remedy = "write {{ and }} for C++ braces, or a plain r-string with .replace(...) for the numbers"
        return hit_raised(raised, message, remedy, span=span)


def _in_long_f_string(candidate: Candidate, span: Span) -> bool:
    return any(
        isinstance(node, ast.JoinedStr) and node.lineno <= span.line <= (node.end_lineno or 0) != node.lineno
        for node in ast.walk(parse_file(candidate).tree)
    )
