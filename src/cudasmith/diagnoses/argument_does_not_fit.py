"""DG511."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class ArgumentDoesNotFit(Diagnosis):
    """A bound function was given an argument that its parameter does not take.

    pybind11 tries each overload and converts only what it knows: a number to a number, a torch.Tensor to
    a tensor, a list to a std::vector. A module, a dtype, a device, an integer too large for an int, or a
    number for a tensor does not fit.

    Compare the types that the message lists with the arguments it shows, one by one.
    """

    code = "DG511"
    name = "argument-does-not-fit"
    CASES = (
        Case("call_module_for_tensor", says="pad() was given an argument", line=6),
        Case("call_number_for_tensor", says="3.0 for parameter number 1", line=5),
        Case("call_int_too_large", says="scale_raw()", line=5),
        Case("call_device_for_int", says="pad()", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "other")
        if call is None:
            return None
        return Hit(
            f"{call.function}() was given an argument that does not fit"
            + (f": {call.value} for parameter {call.place}" if call.param else ""),
            call.at,
            f"it takes {', '.join(f'{p.name}: {p.type}' for p in call.params)}: compare one by one",
            span=user_frame(log, call.at, candidate),
        )
