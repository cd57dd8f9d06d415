"""DG130."""

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._python import PythonError


class ModuleCalled(PythonError):
    """The module that load_inline returns was called as if it were the function.

    load_inline gives a Python module, and the functions are its attributes.

    Write `module.relu(x)` in place of `module(x)`.
    """

    code = "DG130"
    name = "module-called"
    type = "TypeError"
    told = r"^'module' object is not callable"
    fact = "a module is called in place of one of its functions"
    remedy = "call the function in it: module.NAME(...), with a NAME that m.def or `functions=` binds"
    CASES = (Case("module_called", line=16),)
