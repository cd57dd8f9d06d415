"""DG617."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class NoCudaDevice(CudaError):
    """A CUDA driver answered, and it knows no card.

    An empty or wrong CUDA_VISIBLE_DEVICES, a container started without access to GPUs, a batch job that
    asked for none, or a card that fell off the bus.

    `nvidia-smi -L` in the same place shows what is there. Without a GPU, `cudasmith port --executor
    emulator` runs the kernels on the CPU.
    """

    code = "DG617"
    name = "no-cuda-device"
    names = ("cudaErrorNoDevice", "CUDA_ERROR_NO_DEVICE")
    text = "no CUDA-capable device is detected"
    also = ("No CUDA GPUs are available",)  # torch's own, before any call of CUDA
    number = 100
    fact = "the driver is there, but this process sees no GPU"
    remedy = (
        "look at CUDA_VISIBLE_DEVICES (empty or wrong hides every card), at `nvidia-smi`, and at the "
        "options of the container (--gpus all)"
    )
    CASES = (
        Case("public_no_cuda_device"),
        Case("public_no_cuda_gpus"),
    )  # the wording comes from public reports
