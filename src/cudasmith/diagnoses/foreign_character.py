"""DG210."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_ASCII = {
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "*",
    "·": "*",
    "−": "-",
    "–": "-",
    "—": "-",
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "…": "...",
    "→": "->",
    "÷": "/",
    "\u00a0": " ",
}


def _decoded(octal: str) -> str:
    """The character that g++ wrote as \\342\\200\\234."""
    return bytes(int(o, 8) for o in octal.split("\\")[1:]).decode(errors="replace")


class ForeignCharacter(Diagnosis):
    """A character that is no part of C++ stands in the code: a typographic quote, a mathematical sign, a special space.

    Such characters come from text that passed through a word processor or a chat, or were written for readers. Compilers
    read code in plain ASCII outside of comments and strings.

    Replace it by its ASCII form: straight quotes, `<=`, `!=`, `*`, `-`, an ordinary space.
    """

    code = "DG210"
    name = "foreign-character"
    CASES = (
        Case("unicode_punctuation", says="≤", line=6),
        Case("smart_quotes", says="“", line=7),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log, r"extended character (?P<char>\S+) is not valid|stray .(?P<octal>(?:\\\d{3})+)."
        )
        if found is None:
            return None
        said, match = found
        char = match["char"] or _decoded(match["octal"])
        better = _ASCII.get(char)
        place = spot(log, said, candidate)
        fix = None
        if place is not None and better is not None and place.line is not None:
            plain = place.text.strip()
            for sign, ascii_sign in _ASCII.items():
                plain = plain.replace(sign, ascii_sign)
            fix = Fix(place.line, plain)
        help = f"write {better} instead" if better else "write it in ASCII, or delete it"
        return hit_at(said, f"the character {char} is not part of C++", help, fix=fix)
