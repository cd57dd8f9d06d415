"""DG106."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import FaultyText
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span

_MEANT = str.maketrans(
    {
        0x201C: '"', 0x201D: '"', 0x2018: "'", 0x2019: "'", 0x00A0: " ", 0x202F: " ", 0x2013: "-", 0x2014: "-",
        0x2212: "-", 0x00D7: "*", 0x2264: "<=", 0x2265: ">=", 0x2260: "!=", 0x200B: "", 0xFEFF: "",
    }
)  # fmt: skip


class WrongCharacter(FaultyText):
    """A character stands in the code that is no part of Python: a curly quote, a no-break space, a long dash.

    Text processors and chat pages replace plain characters by prettier ones. Some of them cannot be seen at all.

    Type the plain character instead: " or ' for a quote, an ordinary blank, the minus sign of the keyboard.
    """

    code = "DG106"
    name = "wrong-character"
    told = r"^invalid (?:non-printable )?character (?:in identifier|'?.*U\+(?P<hex>[0-9A-F]{4,6})\)?)"
    fact = "the character U+{hex} is no part of Python"
    remedy = "replace it by the plain character of the keyboard; look for more of its kind in the file"
    CASES = (Case("smart_quote", says="U+201C", line=3), Case("no_break_space", says="U+00A0", line=3))

    def fix(self, candidate: Candidate, span: Span, match: re.Match[str]) -> Fix | None:
        text = candidate.text.split("\n")[span.line - 1].strip()
        plain = text.translate(_MEANT)
        return Fix(span, plain) if plain != text and plain.isascii() else None
