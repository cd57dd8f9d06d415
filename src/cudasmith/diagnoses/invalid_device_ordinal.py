"""DG614."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class InvalidDeviceOrdinal(CudaError):
    """A device number is too large for what is visible.

    `cuda:1` on a machine with one card, a number left from another machine, or CUDA_VISIBLE_DEVICES=3,
    after which that card is called cuda:0. In CUDA text, cudaSetDevice with a number from a CPU tensor
    (-1) does the same.

    Write `cuda` or the input's own device. In a host function: c10::cuda::CUDAGuard guard(x.device())
    after a check that x is a CUDA tensor.
    """

    code = "DG614"
    name = "invalid-device-ordinal"
    names = ("cudaErrorInvalidDevice", "CUDA_ERROR_INVALID_DEVICE")
    text = "invalid device ordinal"
    number = 101
    fact = "a GPU was named that this process does not have"
    remedy = "use a device below torch.cuda.device_count(); CUDA_VISIBLE_DEVICES renumbers the cards from 0"
    CASES = (Case("public_invalid_device_ordinal"),)  # the wording comes from public reports
