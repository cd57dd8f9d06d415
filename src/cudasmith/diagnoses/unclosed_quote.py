"""DG206."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import Spot, spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file

_SAID = re.compile(r"missing closing quote|missing terminating . character")


def _broken_by_python(candidate: Candidate, place: Spot) -> bool:
    """Whether the line ends by an escape of Python, not by a line break in the file."""
    last = place.region.mapped.place(place.end)
    return last is not None and parse_file(candidate).source.text[last : last + 2] == "\\n"


def _opening(candidate: Candidate, place: Span | None) -> Span | None:
    """Just before the plain Python string that holds a place."""
    source = parse_file(candidate).source
    if place is None:
        return None
    before = source.text[: source.starts[place.line - 1]]
    found = list(re.finditer(r"""(?<![\w"'])('''|\"\"\")""", before))
    if not found or before.count(found[-1][1]) % 2 == 0:
        return None
    return source.span(found[-1].start(), found[-1].start())


class UnclosedQuote(Diagnosis):
    r"""A string in the CUDA or C++ text has no closing quote on its line.

    Most often the text sits in a plain Python string and contains `\n`: Python turns that into a real line break before
    the compiler sees it, and a C++ string may not run over a line break. The Python file looks right; the generated
    file does not.

    Make the Python string raw, `r'''...'''`, or write `\\n`. If the string is raw already, a `"` is really missing.
    """

    code = "DG206"
    name = "unclosed-quote"
    proves = True
    hides = ("DG201",)
    CASES = (
        Case("newline_in_plain_string", says="line break", line=7),
        Case("missing_quote", says="no closing quote", line=7),
        Case("gxx_missing_quote", says="no closing quote", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, _ = found
        place = spot(log, said, candidate)
        if candidate is not None and place is not None and _broken_by_python(candidate, place):
            opening = _opening(candidate, place.line)
            fix = Fix(opening, "r") if opening is not None else None
            help = "make the Python string raw (r''' ... '''), or write \\\\n in it"
            return hit_at(
                said, "a C++ string is cut by a line break: Python has turned its \\n into one", help, fix=fix
            )
        help = "write the closing quote; if the text holds \\n, make the Python string raw: r''' ... '''"
        return hit_at(said, "a string has no closing quote", help)
