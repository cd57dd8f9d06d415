"""DG830."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_BARE = r"\A(?:Error building extension '[^']*'|Error compiling objects for extension)\s*\Z"


class CompilerTextElsewhere(Diagnosis):
    """A build failed, and this log does not hold what the compiler said.

    With verbose=True ninja writes the compilers' text straight to the standard output of the process, and the exception
    holds only its own first line. Where only the standard error or the exception is kept, the cause is lost; a
    notebook loses it too.

    Keep the standard output as well (`python FILE.py > log 2>&1`), or pass verbose=False: then the exception holds
    the whole text.
    """

    code = "DG830"
    name = "compiler-text-elsewhere"
    CASES = (Case("verbose_only_last_line", says="verbose_only_last_line", line=15),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("RuntimeError", _BARE)
        if found is None or log.said:
            return None
        return hit_raised(
            found[0],
            f"{found[0].text.strip()}, and what the compiler said is not in this log",
            "keep standard output too (> log 2>&1), or pass verbose=False to load_inline, and look again",
            span=user_frame(log, found[0].at, candidate),
        )
