"""DG226."""

from __future__ import annotations

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class MisplacedJump(Diagnosis):
    """`break` or `continue` stands outside of a loop.

    It leaves the innermost loop or switch, and there is none around it. In kernels it is often written where `return` is
    meant: "this thread has nothing to do".

    Write `return` to end the thread, unless a `__syncthreads()` follows which all threads must reach.
    """

    code = "DG226"
    name = "misplaced-jump"
    CASES = (Case("break_outside_loop", says="break", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(
            log,
            r"a (?P<edg>break|continue) statement may only be used|(?P<gxx>break|continue) statement not within",
        )
        if found is None:
            return None
        word = found[1]["edg"] or found[1]["gxx"]
        help = "write return to end this thread, or put it into the loop it belongs to"
        return hit_at(found[0], f"{word} stands outside of a loop", help)
