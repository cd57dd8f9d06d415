"""DG708."""

from __future__ import annotations

import re

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_raised
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_FUNCTION = re.compile(r"^\s+File .*, line \d+, in (?P<name>\S+)")


class Recursion(Diagnosis):
    """A Python function called itself, directly or through others, until Python stopped it.

    In a model it is mostly forward that calls self(x), an attribute access in __getattr__ that asks for
    itself, or a wrapper stored under the name of what it wraps.

    The traceback shows the circle. Let forward call the extension or the layers, and let __getattr__ fall
    back to super().__getattr__.
    """

    code = "DG708"
    name = "recursion"
    CASES = (Case("end_recursion", says="forward", line=3),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = log.exception("RecursionError", r"maximum recursion depth exceeded")
        if found is None:
            return None
        raised = found[0]
        names = [m["name"] for line in log.lines[: raised.at] if (m := _FUNCTION.match(line))]
        name = names[-1] if names else "a Python function"
        return hit_raised(
            raised,
            f"{name} calls itself without end",
            "follow the repeated lines of the traceback and break the circle",
            span=user_frame(log, raised.at, candidate),
        )
