"""DG508."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class FloatForInt(Diagnosis):
    """A float was passed where a bound function takes an integer.

    pybind11 does not cut a float to an integer, not even 3.0. In Python / gives a float always, and
    math.sqrt and numbers from a config do too.

    Use // or int(...) in the call; if fractions are meant, declare the parameter double.
    """

    code = "DG508"
    name = "float-for-int"
    CASES = (
        Case("rt_float_for_int", says="3.0"),
        Case("call_float_for_int", says="4.0 for parameter number 2", line=6),
        Case("call_pointer_for_pointer", says="4.0 for parameter number 2", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "float for int")
        if call is None:
            return None
        return Hit(
            f"{call.function}() was given the float {call.value} for parameter {call.place}, which takes an integer",
            call.at,
            "write int(...) or // in the call, or declare the parameter double in C++",
            span=user_frame(log, call.at, candidate),
        )
