"""DG138."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_ECHO = re.compile(
    r"^\s*\d+ \| (?P<path>[\w./-]+\.(?:cpp|cu|cuh|cc))\s*$|^\s{2,}(?P<edg>[\w./-]+\.(?:cpp|cu|cuh|cc))\s*$"
)


class SourceIsPath(Diagnosis):
    """load_inline was given the name of a file as its source.

    It takes the text itself, so the compiler reads the name as C++ and does not understand it.

    Use `load(name=..., sources=["relu.cpp"])` for files, or read the text: Path("relu.cpp").read_text().
    """

    code = "DG138"
    name = "source-is-path"
    CASES = (Case("source_path", says="relu.cpp", line=15),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        first = log.said[0] if log.said else None
        if first is None or first.at + 1 >= len(log.lines) or not first.file:
            return None
        found = _ECHO.match(log.lines[first.at + 1])
        if found is None:
            return None
        path = found["path"] or found["edg"]
        return Hit(
            f"{path} was given as a source, and load_inline takes the text of the file",
            first.at,
            f'use load(sources=["{path}"]), or give Path("{path}").read_text() to load_inline',
            first.file,
            first.line,
        )
