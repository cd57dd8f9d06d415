"""DG509."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class TextForNumber(Diagnosis):
    """A string was passed where a bound function takes a number.

    A mode name or a value read from a file or the command line was passed on as it came; the binding
    converts none.

    Convert it with float() or int(), or declare the parameter const std::string&.
    """

    code = "DG509"
    name = "text-for-number"
    CASES = (
        Case("rt_str_for_float", says="'3'"),
        Case("call_text_for_float", says="'0.5' for parameter \"factor\"", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "text")
        if call is None:
            return None
        return Hit(
            f"{call.function}() was given the text {call.value} for parameter {call.place}, which takes a number",
            call.at,
            "convert it with float() or int(), or declare the parameter const std::string& in C++",
            span=user_frame(log, call.at, candidate),
        )
