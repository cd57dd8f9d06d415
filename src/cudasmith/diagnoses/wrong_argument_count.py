"""DG241."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import Spot, spot
from cudasmith.model import Candidate

_SAID = re.compile(
    rf"too (?P<which>few|many) arguments (?:in function call|to (?:function|kernel) {Q}(?P<name>.*){Q})"
)


def _in_launch(place: Spot) -> bool:
    """Whether the caret stands between <<< and >>>."""
    before = place.region.text[place.start : place.caret]
    return before.rfind("<<<") > before.rfind(">>>")


class WrongArgumentCount(Diagnosis):
    """A function or kernel is called with too many or too few arguments.

    Every parameter without a default needs an argument, in the order of the declaration. A parameter was added to one of
    the two and not to the other.

    Compare the call with the definition and make them agree; do not forget the declaration in cpp_sources.
    """

    code = "DG241"
    name = "wrong-argument-count"
    CASES = (
        Case("launch_with_five_values", says="launch brackets", line=8),
        Case("kernel_wrong_args", says="too few", line=8, first=False),
        Case("too_many_arguments", says="too many", line=8),
        Case("gxx_wrong_arguments", says="too few", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        place = spot(log, said, candidate)
        if place is not None and place.caret is not None and _in_launch(place):
            help = "<<<blocks, threads, shared bytes, stream>>>: the first two are needed, the last two may be left out"
            return hit_at(said, f"the launch brackets hold too {m['which']} values", help)
        of = f" by {m['name']}" if m["name"] else ""
        help = f"compare the call with the definition: one of them has a parameter {'more' if m['which'] == 'few' else 'less'}"
        message = f"too {m['which']} arguments are given{' (expected' + of + ')' if of else ''}"
        return hit_at(said, message, help, span=place.called_at_caret() if place is not None else None)
