"""DG637."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class CudaUnknownError(CudaError):
    """The driver met a state that it has no code for.

    At the first CUDA call it is the environment: a machine that was suspended, a missing device file,
    CUDA_VISIBLE_DEVICES changed after CUDA had started. Later it may be a kernel that broke the driver's
    state.

    Run `nvidia-smi`, then a three-line script with torch.zeros(1, device="cuda"): if that fails as well,
    the file is not the reason.
    """

    code = "DG637"
    name = "cuda-unknown-error"
    names = ("cudaErrorUnknown", "CUDA_ERROR_UNKNOWN")
    text = "unknown error"
    number = 999
    fact = "CUDA failed without a reason that it could name"
    remedy = (
        "if it comes at the first CUDA call: reload the driver module or reboot, and set "
        "CUDA_VISIBLE_DEVICES before Python starts; if later: run under compute-sanitizer"
    )
    also = ("CUDA unknown error - this may be due to",)
    CASES = (Case("public_cuda_unknown_error"),)  # the wording comes from public reports
