"""DG523."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class MatrixDtypes(RaisedError):
    """The two operands of a matrix product have different dtypes.

    Elementwise operations promote, matrix products do not. One side is half under .half(), or double
    from NumPy.

    Convert one: b.to(a.dtype).
    """

    code = "DG523"
    name = "matrix-dtypes"
    pattern = (
        r"^expected m(?:at)?1 and m(?:at)?2 to have the same dtype, but got: (?P<a>[\w:]+) != (?P<b>[\w:]+)"
    )
    fact = "a matrix product of {a} with {b}"
    remedy = "convert one operand: b.to(a.dtype)"
    CASES = (Case("run_matmul_dtypes", says="float with double", line=5),)
