"""DG204."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, own_file
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(rf'expected a "}}"|expected {Q}}}{Q} at end of input')
_NOTE = r"^(?P<file>[^\s()][^()]*?)(?:\((?P<nvcc>\d+)\)|:(?P<gxx>\d+):\d+): note.*: to match this"


class UnclosedBrace(Diagnosis):
    """A `{` is never closed: the text ends while the compiler is still inside a function or block.

    Braces are paired from the inside out. When one `}` is left out, the next one closes the wrong block, and the function
    swallows what follows it. So a complaint about the following function usually comes first; the compiler's note names
    the `{` that remained open at the end, often the start of the function.

    Close the block. In the function named here, match each `{` with its `}`, beginning with the innermost; indentation
    shows most often which one is missing.
    """

    code = "DG204"
    name = "unclosed-brace"
    hides = ("DG201", "DG211")
    CASES = (
        Case("missing_brace", says='"{"', line=5),
        Case("missing_brace_at_end", says='"{"', line=5),
        Case("gxx_missing_brace", says='"{"', line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        for said in log.said:
            if said.tool not in ("nvcc", "g++") or not _SAID.match(said.text) or not own_file(said):
                continue
            if any(re.match("missing (?:closing quote|terminating)|unterminated", s.text) for s in log.said):
                return None
            note = detail(log, said, _NOTE)
            file, line = (note["file"], int(note["nvcc"] or note["gxx"])) if note else (said.file, said.line)
            first = next(s.at for s in log.said if s.tool == said.tool)
            help = 'write the missing "}"; begin at the innermost block of this function'
            return Hit('this "{" is never closed', first, help, file, line)
        return None
