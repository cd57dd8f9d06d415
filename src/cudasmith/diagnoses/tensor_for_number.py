"""DG510."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class TensorForNumber(Diagnosis):
    """A tensor was passed where a bound function takes a number.

    Often the C++ parameter is a raw pointer: pybind11 knows no arrays and binds float* as one float, so
    a tensor does not fit (and a float would be taken, silently, as an array of one). A tensor of several
    elements is no number either.

    Declare the parameter torch::Tensor and take its pointer in C++ with x.data_ptr<float>(). For a
    number pass x.item().
    """

    code = "DG510"
    name = "tensor-for-number"
    CASES = (
        Case("rt_raw_float_ptr_given_tensor", says="parameter number 1"),
        Case("call_tensor_for_pointer", says="parameter number 1", line=5),
        Case("call_tensor_for_int", says="parameter number 2", line=6),
        Case("call_parameter_for_float", says='parameter "factor"', line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "tensor for number")
        if call is None:
            return None
        return Hit(
            f"{call.function}() was given a tensor for parameter {call.place}, which takes a number",
            call.at,
            "if it is a pointer in C++ (float*), declare it torch::Tensor and use x.data_ptr<float>() inside; for a number pass .item()",
            span=user_frame(log, call.at, candidate),
        )
