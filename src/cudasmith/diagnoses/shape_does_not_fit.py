"""DG526."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class ShapeDoesNotFit(RaisedError):
    """A tensor was reshaped to a shape with another number of elements.

    The sizes in the shape are constants, and the input is of another size.

    Compute the shape from x.size(), and leave one dimension -1.
    """

    code = "DG526"
    name = "shape-does-not-fit"
    pattern = r"^shape '(?P<shape>\[[-\d, ]*\])' is invalid for input of size (?P<size>\d+)"
    fact = "{size} elements do not fit the shape {shape}"
    remedy = "compute the shape from the input's sizes, or leave one dimension -1"
    CASES = (Case("run_reshape", says="4 elements", line=4),)
