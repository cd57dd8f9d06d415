"""DG623."""

from __future__ import annotations

import re

from cudasmith.diagnoses._cuda_error import ABORTED, LATE, MARK
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_LATE = re.compile(rf"{MARK}.*(?P<text>{'|'.join(map(re.escape, LATE))})")


class FaultToldAgain(Diagnosis):
    """A CUDA call failed only because a kernel before it had died.

    After an illegal access, a failed assert or a launch failure the whole CUDA context is lost. Every
    call gives the same error from then on: a copy, an allocation, a destructor at the end of the program.
    These later ones say nothing.

    Look at the first error only, and start a new process for the next try: one that caught the exception
    and went on cannot use the GPU any more.
    """

    code = "DG623"
    name = "fault-told-again"
    severity = "info"
    hides = (ABORTED,)
    CASES = (
        Case("public_fault_told_again", says="again", first=False),
    )  # the wording comes from public reports

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        if not any(log.has(text) for text in LATE):
            return None
        seen: set[str] = set()
        for at, line in enumerate(log.lines):
            m = _LATE.search(line)
            if m is None:
                continue
            if m["text"] in seen:
                return Hit(
                    f"{m['text']!r} is told again: a consequence of the first",
                    at,
                    "mend the first error; try again in a new process, since this one has lost the GPU",
                )
            seen.add(m["text"])
        return None
