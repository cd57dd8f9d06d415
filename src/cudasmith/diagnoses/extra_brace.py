"""DG205."""

from __future__ import annotations

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class ExtraBrace(Diagnosis):
    """A `}` stands outside every function: there is one closing brace too many.

    The function above it ended earlier than intended, because a block in it was closed twice or an opening `{` was
    deleted. What follows is then outside of the function.

    Delete the `}` if the function above is complete; otherwise write the `{` that it lacks.
    """

    code = "DG205"
    name = "extra-brace"
    CASES = (Case("extra_brace", says='"}"', line=9),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, rf"expected a declaration|expected declaration before {Q}}}{Q}")
        if found is None or detail(log, found[0], r"^(?:\s*\d+ \|)?\s*\}") is None:
            return None
        return hit_at(
            found[0],
            'a "}" closes nothing',
            'delete it, or write the "{" that is missing in the function above',
        )
