"""DG546."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class NoTensorConverter(Diagnosis):
    """A tensor was passed to a bound function that takes a tensor, and was refused all the same.

    The signature says at::Tensor where it should say torch.Tensor: the binding knows the C++ type and
    has no converter for it. The converter is in torch/extension.h (or torch/csrc/utils/pybind.h); ATen's
    headers and pybind11's alone have none.

    Include torch/extension.h in the source with PYBIND11_MODULE.
    """

    code = "DG546"
    name = "no-tensor-converter"
    CASES = (Case("return_type_unregistered", says="g() has no converter for at::Tensor"),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "no caster")
        if call is None:
            return None
        return Hit(
            f"the binding of {call.function}() has no converter for {call.param.type if call.param else 'a tensor'}",
            call.at,
            "include torch/extension.h in the source with PYBIND11_MODULE, or bind your own struct with py::class_",
            span=user_frame(log, call.at, candidate),
        )
