"""What diagnoses of the PTX assembler share: one error decides; the place is the one text of the file it quotes."""

from __future__ import annotations

import re
from typing import ClassVar

from cudasmith.diagnoses._diagnosis import Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate
from cudasmith.model.finding import Span


class PtxasError(Diagnosis):
    """Base of the diagnoses that one error of ptxas decides.

    `pattern`: of the error's text; its group `quoted` is looked for in the Python file. `fact` and `remedy`: message
    and help, with the pattern's named groups. `declared`: the text in the file that it is about, if nothing is quoted.
    """

    pattern: ClassVar[str]
    fact: ClassVar[str]
    remedy: ClassVar[str]
    declared: ClassVar[str] = ""

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(self.pattern, "ptxas")
        if found is None:
            return None
        said, match = found
        names = {key: value or "" for key, value in match.groupdict().items()}
        quoted = names.get("quoted", "")
        span = only_place(candidate, in_a_literal(quoted)) if quoted else self.place(candidate)
        return Hit(self.fact.format(**names), said.at, self.remedy.format(**names), span=span)

    def place(self, candidate: Candidate | None) -> Span | None:
        """Where to look if the error quotes nothing."""
        return only_place(candidate, self.declared) if self.declared else None


def in_a_literal(instruction: str) -> str:
    before = r"(?<!\w)" if instruction[0].isalnum() else ""
    return rf'"[^"\n]*?{before}(?P<at>{re.escape(instruction)})(?!\w)'
