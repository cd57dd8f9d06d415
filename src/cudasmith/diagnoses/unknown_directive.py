"""DG209."""

from __future__ import annotations

import difflib

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_KNOWN = ("define", "include", "ifdef", "ifndef", "endif", "pragma", "undef", "elif", "error")


class UnknownDirective(Diagnosis):
    """A line begins with `#` but is no directive of the preprocessor.

    In C++ a `#` at the start of a line opens `#include`, `#define`, `#if`, `#pragma` and the like. A comment in Python's
    style is read as such a directive, with its first word for a name.

    Write comments with `//`. If a directive was meant, correct its name.
    """

    code = "DG209"
    name = "unknown-directive"
    CASES = (
        Case("python_comment", says="#zero", line=6),
        Case("bad_directive", says="#defin", line=5),
        Case("include_in_quotes", says="#include", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        bare = own_error(log, "#include expects")
        if bare is not None:
            return hit_at(bare[0], "#include has no file name in <...>", "write the name in < > or in quotes")
        found = own_error(
            log, r"invalid preprocessing directive #(?P<word>\S+)|unrecognized preprocessing directive"
        )
        if found is None:
            return None
        said, match = found
        word = match["word"] or ""
        place = spot(log, said, candidate)
        close = difflib.get_close_matches(word, _KNOWN, 1, 0.8)
        if close:
            span = place.word(word) if place is not None else None
            fix = Fix(span, close[0]) if span is not None else None
            return hit_at(said, f"#{word} is no directive", f"write #{close[0]}", fix=fix)
        fix = None
        if place is not None and place.line is not None and place.text.strip().startswith("#"):
            fix = Fix(place.line, "//" + place.text.strip()[1:])
        help = "comments begin with // in CUDA C++"
        return hit_at(said, f"#{word} is read as a directive; a comment of Python's kind?", help, fix=fix)
