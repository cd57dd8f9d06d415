"""DG536."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class GradientShape(RaisedError):
    """The backward of an autograd.Function returned a gradient of another shape than its input.

    A gradient has exactly its input's shape; a sum over the wrong dimension or a missing sum for a
    broadcast input changes it.

    Sum over the broadcast dimensions only, or allocate the gradient with empty_like(x).
    """

    code = "DG536"
    name = "gradient-shape"
    pattern = r"^Function (?P<name>\w+)Backward returned an invalid gradient at index (?P<index>\d+) - got (?P<got>\[[\d, ]*\]) but expected shape compatible with (?P<want>\[[\d, ]*\])"
    fact = "{name}.backward gave a gradient of shape {got} for argument {index} of shape {want}"
    remedy = "return a gradient of shape {want}: allocate it with empty_like of that input"
    CASES = (Case("run_gradient_shape", says="[3] for argument 0", line=14),)
