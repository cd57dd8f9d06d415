"""DG544."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class ResultIsNone(RaisedError):
    """An attribute was asked of None.

    A bound function that returns void, or a default-made torch::Tensor, gives None in Python; so does a
    forward without return.

    Return the output tensor from the C++ function, or the value from forward.
    """

    code = "DG544"
    name = "result-is-none"
    types = r"AttributeError"
    pattern = r"^'NoneType' object has no attribute '(?P<name>shape|size|dtype|device|dim|to|cpu|cuda|contiguous|view|reshape|float|half|item|sum|mean|backward|numel)'"
    fact = "a tensor was expected and there is None: .{name}"
    remedy = (
        "return a tensor from the function that gave it: a void or undefined torch::Tensor result is None"
    )
    CASES = (Case("call_undefined_return", says=".shape", line=6),)
