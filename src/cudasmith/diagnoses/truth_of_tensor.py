"""DG541."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class TruthOfTensor(RaisedError):
    """A tensor of several elements was used where Python needs one truth value or number.

    `if x > 0:` compares every element; float(x) takes one only.

    Use .any() or .all(), torch.where for a choice per element, or .item() on a single element.
    """

    code = "DG541"
    name = "truth-of-tensor"
    types = r"RuntimeError|ValueError"
    pattern = r"^(?:Boolean value of Tensor with more than one value is ambiguous|only one element tensors can be converted to Python scalars|a Tensor with \d+ elements cannot be converted to Scalar)"
    fact = "a tensor of several elements is used as one value"
    remedy = "use .any() or .all(), torch.where, or pick one element with .item()"
    CASES = (
        Case("run_bool_of_tensor", says="several", line=4),
        Case("run_item_of_many", says="several", line=4),
    )
