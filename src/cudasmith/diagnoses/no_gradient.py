"""DG532."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class NoGradient(RaisedError):
    """backward was called on a result that autograd knows nothing of.

    No input requires grad, the work ran under no_grad, or it went through an own kernel: a bound
    function is invisible to autograd.

    Wrap the kernel in a torch.autograd.Function with forward and backward; check requires_grad of the
    inputs.
    """

    code = "DG532"
    name = "no-gradient"
    pattern = r"^element \d+ of tensors does not require grad and does not have a grad_fn"
    fact = "the result has no gradient function: backward cannot start"
    remedy = "wrap the own kernel in a torch.autograd.Function, or set requires_grad on the input"
    CASES = (Case("run_backward_no_grad", says="no gradient function", line=4),)
