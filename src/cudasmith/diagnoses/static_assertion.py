"""DG263."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import detail
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(r'static assertion failed(?: with "(?P<edg>.*)"|: (?P<gxx>.*))?$')
_USED = r'instantiation of ".*" \[with (?P<with>.*?)\] at line (?P<line>\d+)(?: of (?P<file>\S+))?'


class StaticAssertion(Diagnosis):
    """A `static_assert` of the source or of a library does not hold.

    Its author checks sizes or types there for every version of a template. The line below the error says which template
    arguments were used, and where.

    Read its text, and change the template arguments at the place named there.
    """

    code = "DG263"
    name = "static-assertion"
    CASES = (Case("static_assertion", says="tile must be a multiple of the warp", line=7),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.first(_SAID)
        if found is None:
            return None
        said, m = found
        text = m["edg"] or m["gxx"] or "no text given"
        used = detail(log, said, _USED)
        notes = (f"used with {used['with']}, from line {used['line']}",) if used else ()
        return hit_at(
            said,
            f"a static_assert does not hold: {text}",
            "change the template arguments at its use",
            notes=notes,
        )
