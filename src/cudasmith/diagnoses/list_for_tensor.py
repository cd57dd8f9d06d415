"""DG507."""

from __future__ import annotations

from cudasmith.diagnoses._call import refused
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._frames import user_frame
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate


class ListForTensor(Diagnosis):
    """A list or tuple was passed where a bound function takes one tensor.

    model.parameters(), a tuple of outputs or a list of weights is not a tensor, and the binding does not
    join them.

    Pass the tensors one by one, stack them with torch.stack, or declare the parameter
    std::vector<torch::Tensor>.
    """

    code = "DG507"
    name = "list-for-tensor"
    CASES = (
        Case("rt_parameter_list", says="given a list"),
        Case("call_list_for_tensor", says="given a list", line=5),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        call = refused(log, "list")
        if call is None:
            return None
        return Hit(
            f"{call.function}() was given a list for parameter {call.place}, which takes one tensor",
            call.at,
            "pass one tensor, join them with torch.stack, or declare the parameter std::vector<torch::Tensor>",
            span=user_frame(log, call.at, candidate),
        )
