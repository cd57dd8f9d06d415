"""DG207."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class UnclosedComment(Diagnosis):
    """A comment opened by `/*` is never closed.

    Everything behind it, to the end of the text, is then part of the comment: no kernel and no function is left.

    Write `*/` at the end of the comment. Comments of this kind do not nest; the first `*/` closes all.
    """

    code = "DG207"
    name = "unclosed-comment"
    proves = True
    CASES = (Case("unclosed_comment", says="/*", line=5),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, "unterminated comment|comment unclosed at end of file")
        if found is None:
            return None
        return hit_at(found[0], "a comment opened by /* is never closed", "write */ where the comment ends")
