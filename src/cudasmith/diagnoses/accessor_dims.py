"""DG519."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class AccessorDims(RaisedError):
    """An accessor in C++ was written for another number of dimensions than the tensor has.

    accessor<T, N> and packed_accessor32<T, N> take N as a constant. A vector instead of a batch, or an
    extra batch dimension, does not fit.

    Bring the tensor to the expected number with view or unsqueeze before the call, or check dim() first
    with a message.
    """

    code = "DG519"
    name = "accessor-dims"
    pattern = r"expected (?P<want>\d+) dims but tensor has (?P<have>\d+)"
    fact = "the C++ code expects a tensor of {want} dimensions; this one has {have}"
    remedy = "reshape it to {want} dimensions before the call"
    CASES = (Case("call_accessor_dims", says="2 dimensions; this one has 1", line=5),)
