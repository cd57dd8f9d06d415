"""DG520."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class ViewOfStrided(RaisedError):
    """view was asked of a tensor whose memory order does not allow it.

    A transposed, permuted or sliced tensor is not one run of memory, and view never copies.

    Call .contiguous() first or use reshape. A kernel that assumes contiguous input needs .contiguous()
    at its inputs too.
    """

    code = "DG520"
    name = "view-of-strided"
    pattern = r"^view size is not compatible with input tensor's size and stride"
    fact = "a view was asked of a tensor that is not contiguous"
    remedy = "use reshape, or call .contiguous() before"
    CASES = (
        Case("call_view_strides", says="not contiguous", line=5),
        Case("run_view", says="not contiguous", line=4),
    )
