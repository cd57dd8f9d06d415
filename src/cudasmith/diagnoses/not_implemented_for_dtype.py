"""DG518."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class NotImplementedForDtype(RaisedError):
    """A dispatch over dtypes in C++ has no case for the dtype that came.

    AT_DISPATCH_FLOATING_TYPES covers float and double alone; half and bfloat16 need the AND forms,
    integers the ALL or INTEGRAL ones.

    Use AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, ...), or convert
    the input.
    """

    code = "DG518"
    name = "not-implemented-for-dtype"
    types = r"RuntimeError|NotImplementedError"
    pattern = r"""^"(?P<name>[\w:]+)" not implemented for '(?P<dtype>\w+)'"""
    fact = "{name} has no case for the dtype {dtype}"
    remedy = (
        "convert the input, or add {dtype} to the AT_DISPATCH of {name}, such as "
        "AT_DISPATCH_FLOATING_TYPES_AND2"
    )
    CASES = (Case("call_not_implemented_for", says="scale_kernel has no case for the dtype Half", line=5),)
