"""DG504."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class SwappedArguments(Diagnosis):
    """A bound function was called with the right arguments in the wrong order.

    Parameters without names go by position; here each argument fits another parameter.

    Write the arguments in the order of the C++ function, or name the parameters with py::arg and pass
    keywords.
    """

    code = "DG504"
    name = "swapped-arguments"
    CASES = (
        Case("rt_swapped_args", says="another order"),
        Case("call_swapped_arguments", says="another order", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "swapped")
        if call is None:
            return None
        return Hit(
            f"the arguments of {call.function}() are in another order than its parameters",
            call.at,
            f"the order is {', '.join(f'{p.name}: {p.wants}' for p in call.params)}",
            span=user_frame(log, call.at, candidate),
        )
