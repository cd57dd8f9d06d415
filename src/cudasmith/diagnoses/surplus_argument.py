"""DG503."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class SurplusArgument(Diagnosis):
    """A bound function was called with more arguments than it has.

    The call and the binding were written for different versions of the function, or a C++ parameter was
    forgotten.

    Compare the call with the C++ function's parameters and change one of them.
    """

    code = "DG503"
    name = "surplus-argument"
    CASES = (Case("call_surplus_argument", says="takes 2 arguments and was given 3", line=5),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "surplus")
        if call is None:
            return None
        return Hit(
            f"{call.function}() takes {len(call.params)} arguments and was given {len(call.given)}",
            call.at,
            "drop the arguments that it does not take, or add the parameter in C++ and build again",
            span=user_frame(log, call.at, candidate),
        )
