"""DG535."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class GradientCount(RaisedError):
    """The backward of an autograd.Function returned another number of gradients than forward has arguments.

    Each argument of forward after ctx needs one, numbers and flags too.

    Return None for arguments without a gradient: `return grad_x, None`.
    """

    code = "DG535"
    name = "gradient-count"
    pattern = r"^function (?P<name>\w+)Backward returned an incorrect number of gradients \(expected (?P<want>\d+), got (?P<got>\d+)\)"
    fact = "{name}.backward returned {got} gradients; {name}.forward has {want} arguments"
    remedy = "return {want} values from {name}.backward, None for those without gradient"
    CASES = (Case("run_gradient_count", says="Scale.backward returned 1", line=14),)
