"""DG516."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class CheckWithoutText(RaisedError):
    """A TORCH_CHECK in C++ found its condition false, and it was written without a message.

    The condition itself is the message. PyTorch's request to report it is of no use here: the check is
    the extension's own.

    Make the condition true at the call; give the check a text with the values: TORCH_CHECK(cond, "x must
    be ..., got ", x.sizes()).
    """

    code = "DG516"
    name = "check-without-text"
    pattern = (
        r"^Expected (?P<condition>.+) to be true, but got false\.\s+\(Could this error message be improved\?"
    )
    fact = "the check `{condition}` in the C++ code failed"
    remedy = "make `{condition}` true at this call; give the TORCH_CHECK a text that says what it wants"
    CASES = (
        Case("rt_torch_check_bare", says="x.dim()==2"),
        Case("call_check_bare", says="x.dim() == 2", line=5),
    )
