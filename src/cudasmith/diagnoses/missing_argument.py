"""DG502."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class MissingArgument(Diagnosis):
    """A bound function was called with too few arguments.

    Defaults written in C++ do not reach Python: each parameter without py::arg("name") = value in the
    binding must be given.

    Give the missing argument, or write its default into the binding.
    """

    code = "DG502"
    name = "missing-argument"
    CASES = (
        Case("rt_missing_arg", says="without arg1"),
        Case("call_missing_argument", says="without factor", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "missing")
        if call is None:
            return None
        return Hit(
            f"{call.function}() was called without {', '.join(call.names)}",
            call.at,
            f'give all {len(call.params)} arguments, or set a default in the binding: py::arg("{call.names[0]}") = value',
            span=user_frame(log, call.at, candidate),
        )
