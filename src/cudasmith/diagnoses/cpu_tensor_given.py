"""DG517."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class CpuTensorGiven(RaisedError):
    """A check in the extension refused a tensor that is not on the GPU.

    A kernel can read GPU memory only. Inputs made without device=, or weights of a model that was not
    moved, are on the CPU.

    Move it: x.cuda(), model.cuda(), or make it with device="cuda".
    """

    code = "DG517"
    name = "cpu-tensor-given"
    pattern = r"^(?P<name>\w+) must be (?:a |on )?(?:CUDA|cuda|GPU)(?: tensor| device)?"
    fact = "{name} is not on the GPU"
    remedy = "move {name} to the GPU before the call: {name} = {name}.cuda()"
    CASES = (
        Case("rt_torch_check_cuda", says="x is not on the GPU"),
        Case("call_check_text", says="x is not on the GPU", line=5),
    )
