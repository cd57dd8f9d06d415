"""DG515."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class WrongDtype(RaisedError):
    """C++ code asked a tensor for a pointer or accessor of one dtype, and the tensor has another.

    data_ptr<float>() and accessor<float, N>() check the dtype. Inputs are float64 after NumPy, float16
    or bfloat16 under autocast or .half(), int64 from indices.

    Convert before the call (x.float()), or dispatch on the dtype in C++ with
    AT_DISPATCH_FLOATING_TYPES_AND2 and template the kernel on scalar_t.
    """

    code = "DG515"
    name = "wrong-dtype"
    pattern = r"^expected scalar type (?P<want>\w+) but found (?P<have>\w+)"
    fact = "a tensor has dtype {have} where {want} is expected"
    remedy = (
        "convert it before the call, or let the C++ code take {have} too: AT_DISPATCH_... over "
        "x.scalar_type()"
    )
    CASES = (
        Case("rt_data_ptr_float_on_double", says="dtype Double where Float"),
        Case("call_wrong_dtype_double", says="Double", line=5),
        Case("call_wrong_dtype_half", says="Half", line=5),
        Case("call_accessor_dtype", says="Int", line=5),
    )
