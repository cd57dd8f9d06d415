"""DG633."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class DevicesUnavailable(CudaError):
    """The driver refused to open the card for this process.

    In exclusive mode one process at a time may use a card; a process that hangs keeps it. Virtual cards
    without a licence and a card in a faulty state answer alike.

    Wait for the other process, take another card with CUDA_VISIBLE_DEVICES, or let the administrator set
    the mode to DEFAULT.
    """

    code = "DG633"
    name = "devices-unavailable"
    names = ("cudaErrorDevicesUnavailable", "CUDA_ERROR_DEVICE_UNAVAILABLE")
    text = "CUDA-capable device(s) is/are busy or unavailable"
    number = 46
    fact = "the GPU is there but takes no new process"
    remedy = (
        'see `nvidia-smi` for compute mode "Exclusive Process" and for other processes; end what you '
        "started there, or use another card"
    )
    also = ("all CUDA-capable devices are busy or unavailable",)
    CASES = (Case("public_devices_unavailable"),)  # the wording comes from public reports
