"""DG513."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class UnregisteredType(RaisedError):
    """A bound function returns a C++ type that Python does not know in this module.

    The converter for torch::Tensor is in torch/extension.h (or torch/csrc/utils/pybind.h); ATen's
    headers alone have none. A struct of your own needs a py::class_.

    Include torch/extension.h in the source with PYBIND11_MODULE, or bind the struct with py::class_<T>.
    """

    code = "DG513"
    name = "unregistered-type"
    types = r"TypeError"
    pattern = r"Unable to convert function return value to a Python type! The signature was\s+\(.*\) -> (?P<type>[\w:<>, ]+)"
    fact = "the function returns {type}, which the binding cannot convert"
    remedy = (
        "for a tensor include torch/extension.h in the source with PYBIND11_MODULE; for a struct add "
        "py::class_<{type}>"
    )
    CASES = (Case("call_unregistered_return", says="returns Plan", line=5),)
