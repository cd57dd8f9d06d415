"""DG112."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_TOLD = re.compile(
    r"(?:(?P<utf>Non-UTF-8 code starting with '(?P<byte>[^']+)' in file .* on line (?P<line>\d+))"
    r"|source code (?:string )?cannot contain null bytes|invalid or missing encoding declaration"
    r"|encoding problem: )"
)


class FileEncoding(Diagnosis):
    """The bytes of the file are not the text that Python expects: it reads UTF-8.

    The file was saved in another encoding (Latin-1, UTF-16 with its zero bytes), or is no text at all: an archive, a
    library, a file that was damaged by a transfer.

    Save it again as UTF-8. `file NAME.py` tells what it is; `iconv -f latin1 -t utf8` converts.
    """

    code = "DG112"
    name = "file-encoding"
    hides = ("DG113",)
    CASES = (Case("null_byte", says="zero byte"), Case("not_utf8", says="line 3"))

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("SyntaxError|ValueError", _TOLD)
        if found is None:
            return None
        raised, match = found
        what = (
            f"the byte {match['byte']} on line {match['line']} is no UTF-8"
            if match["utf"]
            else "it holds a zero byte"
        )
        if "encoding" in match[0]:
            what = match[0]
        return hit_raised(raised, f"the file is not plain UTF-8 text: {what}", "save the file again as UTF-8")
