"""DG107."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import FaultyText


class OpenBracket(FaultyText):
    """Brackets of the Python code do not pair up.

    One was opened and never closed, one closed that was never opened, or two kinds cross. Brackets inside of strings,
    CUDA text among them, do not count. In a file that was cut off, the last call stays open.

    Python names the bracket that has no partner. Add or remove its partner.
    """

    code = "DG107"
    name = "open-bracket"
    told = (
        r"^(?P<what>'[(\[{]' was never closed|closing parenthesis .* does not match opening parenthesis .*"
        r"|unmatched '[)\]}]'|unexpected EOF while parsing)"
    )
    fact = "brackets do not pair up: {what}"
    remedy = "close what is open, or take the surplus bracket out; a file that was cut off needs its rest"
    CASES = (
        Case("never_closed", says="'('", line=4),
        Case("mismatched_bracket", line=3),
        Case("unmatched_bracket", line=3),
    )
