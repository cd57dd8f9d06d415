"""DG505."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class NoneForArgument(Diagnosis):
    """None was passed to a bound function that takes a value there.

    A torch::Tensor parameter does not take None. None often comes from a layer without bias, or from a
    bound function that returned an undefined tensor.

    Declare the parameter std::optional<torch::Tensor> if it may be absent, or make sure that there is a
    tensor.
    """

    code = "DG505"
    name = "none-for-argument"
    CASES = (
        Case("rt_none_for_tensor", says="given None for parameter number 1"),
        Case("call_none_for_tensor", says="given None", line=6),
        Case("call_undefined_argument", says="flatten() was given None", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "none")
        if call is None:
            return None
        return Hit(
            f"{call.function}() was given None for parameter {call.place}, which takes a {call.param.wants if call.param else 'value'}",
            call.at,
            "declare the parameter std::optional<torch::Tensor> in C++ if it may be absent; else find out why it is None",
            span=user_frame(log, call.at, candidate),
        )
