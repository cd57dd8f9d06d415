"""DG525."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class DimensionOutOfRange(RaisedError):
    """A dim argument names a dimension that the tensor does not have.

    The tensor has fewer dimensions than thought: a batch dimension is missing, or a sum has removed one.

    Print the shape; use negative numbers, -1 for the last, where the number of dimensions varies.
    """

    code = "DG525"
    name = "dimension-out-of-range"
    types = r"IndexError"
    pattern = r"^Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], but got (?P<dim>-?\d+)\)"
    fact = "dimension {dim} does not exist: they go from {low} to {high}"
    remedy = "print the shape before this line; -1 is the last dimension"
    CASES = (Case("run_dim_range", says="dimension 2", line=4),)
