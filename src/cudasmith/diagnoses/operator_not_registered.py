"""DG139."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class OperatorNotRegistered(PythonError):
    """torch.ops has no operator of that name.

    Operators come there by TORCH_LIBRARY in a library that was loaded, or by torch.library in Python. With PYBIND11_MODULE
    or `functions=` they are attributes of the module instead. The first name after torch.ops is the one in
    TORCH_LIBRARY(NAME, m), not the one of the extension.

    Load the library with is_python_module=False before the first use, and spell both names as TORCH_LIBRARY and m.def do.
    """

    code = "DG139"
    name = "operator-not-registered"
    type = "AttributeError"
    told = r"^'_OpNamespace' '(?P<space>\w+)' object has no attribute '(?P<name>\w+)'"
    fact = "there is no operator torch.ops.{space}.{name}"
    remedy = "register it with TORCH_LIBRARY({space}, m) and m.def, and load the library before this line"
    CASES = (
        Case("run_no_such_op", line=3),
        Case("ops_missing", says="mylib.relu", line=4),
        Case("is_python_module_false", says="is_python_module_false.v", line=18),
    )
