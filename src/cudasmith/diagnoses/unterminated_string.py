"""DG103."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import FaultyText


class UnterminatedString(FaultyText):
    """A string is opened and never closed.

    CUDA text stands between three quotes; without the second three, everything to the end of the file is text. An
    answer that was cut off at a length limit looks the same: then the rest of the file is missing as well.

    Python names the line that opens the string. Write the three quotes after the last line of the CUDA text; they must
    be the same ones, and the text itself must not hold them.
    """

    code = "DG103"
    name = "unterminated-string"
    told = (
        r"unterminated (?:triple-quoted )?(?:f-)?(?:string|f-string) literal|EOF while scanning triple-quoted"
        r"|EOL while scanning string literal|unterminated (?:triple-quoted )?f-string"
    )
    fact = "a string is opened here and never closed"
    remedy = (
        "close it with the same quotes after its last line; if the file was cut off there, ask for the rest"
    )
    CASES = (Case("unterminated_triple_quote", line=2),)
