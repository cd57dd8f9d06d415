"""DG202."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix

_SAID = re.compile(rf"unrecognized token|stray {Q}`{Q} in program")


class FenceInSources(Diagnosis):
    """A line with three backticks stands inside the text given to the compiler.

    The code was copied out of a chat or a Markdown page together with the marks that enclose it there. A backtick means
    nothing in C++, so the compiler stumbles over each of them and over the word behind them.

    Delete the fence lines, the one at the top (with `cuda` or `cpp` behind it) and the one at the bottom.
    """

    code = "DG202"
    name = "fence-in-sources"
    proves = True
    CASES = (
        Case("fence_in_cuda", says="```", line=4),
        Case("fence_end_only_in_cuda", says="```", line=8),
        Case("gxx_fence", says="```", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, _ = found
        shown = detail(log, said, r"^[\s\d|]*(?P<fence>```[\w+-]*)\s*$")
        if shown is None:
            return None
        place = spot(log, said, candidate)
        fix = None
        if place is not None and (
            whole := place.region.span(place.start, min(place.end + 1, len(place.region.text)))
        ):
            fix = Fix(whole, "", safe=True)
        return hit_at(
            said,
            f"the Markdown line {shown['fence']} stands in the code",
            "delete this line, and the other fence if there is one",
            fix=fix,
        )
