"""DG533."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class SavedValueChanged(RaisedError):
    """A tensor that backward needs was changed in place after forward had saved it.

    exp, sigmoid, relu and others save their result, products their inputs; an in-place operation or a
    kernel that writes into its input spoils them.

    Use the out-of-place form, or clone before the change; torch.autograd.set_detect_anomaly(True) shows
    the operation.
    """

    code = "DG533"
    name = "saved-value-changed"
    pattern = r"^one of the variables needed for gradient computation has been modified by an inplace operation: \[(?P<what>[^\]]*\])\]"
    fact = "a tensor that backward needs was changed in place: {what}"
    remedy = "use the out-of-place operation, or clone the tensor before it is changed"
    CASES = (Case("run_modified_inplace", says="torch.FloatTensor [4]", line=6),)
