"""DG522."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class MatrixShapes(RaisedError):
    """Two matrices cannot be multiplied: the columns of the first are not the rows of the second.

    A weight is stored (out, in) and must be transposed, or the input was not flattened to the layer's
    size.

    Transpose one (.t()), or mend the size of the layer.
    """

    code = "DG522"
    name = "matrix-shapes"
    pattern = r"^mat1 and mat2 shapes cannot be multiplied \((?P<a>\d+x\d+) and (?P<b>\d+x\d+)\)"
    fact = "a {a} matrix cannot be multiplied by a {b} one"
    remedy = "the inner sizes must be equal: transpose one operand or mend the layer's size"
    CASES = (Case("run_matmul_shapes", says="2x3 matrix", line=5),)
