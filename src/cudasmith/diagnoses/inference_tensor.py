"""DG531."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._raised_error import RaisedError


class InferenceTensor(RaisedError):
    """A tensor made in inference mode was used outside it, where autograd needs more of it.

    Such tensors carry no version counter: they cannot be changed in place or saved for backward later.

    Clone it outside (x.clone()), or make it under torch.no_grad() instead of torch.inference_mode().
    """

    code = "DG531"
    name = "inference-tensor"
    pattern = r"^(?:Inplace update to inference tensor outside InferenceMode|Inference tensors cannot be saved for backward)"
    fact = "a tensor from inference mode is used outside it"
    remedy = "use x.clone() outside, or torch.no_grad() in place of torch.inference_mode()"
    CASES = (
        Case("run_inference_tensor", says="inference mode", line=5),
        Case("run_inference_backward", says="inference mode", line=6),
    )
