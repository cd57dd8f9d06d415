"""What diagnoses of tools share that one line of the log decides."""

from __future__ import annotations

from typing import ClassVar

from cudasmith.diagnoses._diagnosis import Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class ToldLine(Diagnosis):
    """Base of the diagnoses that one line decides, whoever wrote it.

    `told`: a regular expression that is searched in each line. `fact` and `remedy`: message and help, with the named groups of
    `told` in braces. `placed`: whether the place that a compiler names in that line is one to look at.
    """

    told: ClassVar[str]
    fact: ClassVar[str]
    remedy: ClassVar[str]
    placed: ClassVar[bool] = False

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.find(self.told)
        if found is None:
            return None
        at, match = found
        words = {k: v or "" for k, v in match.groupdict().items()}
        said = next((s for s in log.said if s.at == at), None) if self.placed else None
        file, line = (said.file, said.line) if said else (None, None)
        return Hit(self.fact.format(**words), at, self.remedy.format(**words), file, line)


def missing_header(names: str) -> str:
    """The pattern of a compiler that does not find one of the headers. `names`: a regular expression."""
    return (
        rf"(?:fatal error: |cannot open source file [\"'])(?P<header>{names})"
        r"(?:: No such file or directory|['\"]|' file not found)"
    )


def missing_library(names: str) -> str:
    """The pattern of a linker that does not find one of the libraries. `names`: a regular expression."""
    return rf"(?:cannot find|unable to find library) -l(?P<library>{names})(?:\s|:|$)"
