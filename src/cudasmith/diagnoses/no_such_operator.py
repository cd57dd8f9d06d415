"""DG529."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class NoSuchOperator(RaisedError):
    """torch.ops has no operator of that name.

    Operators appear when the library with their TORCH_LIBRARY block is loaded; here it was not, or the
    name is another.

    Load it first with torch.ops.load_library(path) or by importing the module, and compare the namespace
    in TORCH_LIBRARY.
    """

    code = "DG529"
    name = "no-such-operator"
    types = r"AttributeError"
    pattern = r"^'_OpNamespace' '(?P<space>\w+)' object has no attribute '(?P<op>\w+)'"
    fact = "torch.ops.{space} has no operator {op}"
    remedy = (
        "load the library that registers it before this line; the namespace in TORCH_LIBRARY must be {space}"
    )
    CASES = (Case("run_no_such_op", says="torch.ops.mine", line=3),)
