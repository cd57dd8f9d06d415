"""DG521."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class SizesDiffer(RaisedError):
    """Two tensors of an elementwise operation have sizes that do not fit.

    Dimensions are compared from the last; each pair must be equal or one of them 1.

    Print both shapes; add a dimension with unsqueeze or [:, None] where one is to be repeated.
    """

    code = "DG521"
    name = "sizes-differ"
    pattern = r"^The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\) at non-singleton dimension (?P<dim>\d+)"
    fact = "sizes {a} and {b} at dimension {dim} do not fit"
    remedy = "compare the two shapes; a dimension of size 1 would be repeated"
    CASES = (Case("run_sizes_differ", says="sizes 3 and 4 at dimension 1", line=5),)
