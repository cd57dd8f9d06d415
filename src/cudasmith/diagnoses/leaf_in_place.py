"""DG530."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class LeafInPlace(RaisedError):
    """A parameter, or another leaf that requires grad, was changed in place.

    Autograd would lose the value that the gradient belongs to. Bound functions that write into their
    input get there by torch's own in-place operations.

    Change it under torch.no_grad(), or work on a copy (x.clone()).
    """

    code = "DG530"
    name = "leaf-in-place"
    pattern = r"^a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation"
    fact = "a leaf that requires grad is changed in place"
    remedy = "do it under torch.no_grad(), or work on x.clone()"
    CASES = (
        Case("rt_inference_mode_inplace", says="changed in place"),
        Case("run_leaf_inplace", says="changed in place", line=4),
        Case("run_leaf_view_inplace", says="changed in place", line=4),
    )
