"""DG630."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class InvalidResourceHandle(CudaError):
    """Streams, events and handles belong to the device that was current when they were made.

    Typical: the input is on cuda:1 and nobody switched to it; a stream kept in a static variable; a
    handle that was destroyed; a stream passed as an integer from Python.

    A device guard at the head of the host function and the current stream of that device cure it.
    """

    code = "DG630"
    name = "invalid-resource-handle"
    names = ("cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE")
    text = "invalid resource handle"
    number = 400
    fact = "a stream, an event or a library handle was used on another device than its own"
    remedy = (
        "put c10::cuda::CUDAGuard guard(x.device()) first in the host function and launch on "
        "at::cuda::getCurrentCUDAStream(); keep no stream or handle in a static variable"
    )
    at_launch = True
    CASES = (Case("public_invalid_resource_handle"),)  # the wording comes from public reports
