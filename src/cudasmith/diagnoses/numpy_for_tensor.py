"""DG506."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class NumpyForTensor(Diagnosis):
    """A NumPy array was passed where a bound function takes a tensor.

    The binding converts torch.Tensor only.

    Convert it: torch.from_numpy(a), with .cuda() for a kernel.
    """

    code = "DG506"
    name = "numpy-for-tensor"
    CASES = (
        Case("rt_numpy_for_tensor", says="NumPy array"),
        Case("call_numpy_for_tensor", says="NumPy array", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "numpy")
        if call is None:
            return None
        return Hit(
            f"{call.function}() was given a NumPy array for parameter {call.place}",
            call.at,
            "convert it: torch.from_numpy(array).cuda()",
            span=user_frame(log, call.at, candidate),
        )
