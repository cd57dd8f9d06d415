"""DG621."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class EccError(CudaError):
    """A cell of the GPU's memory lost its content, and the error check could not repair it.

    No program causes this. Cards of data centres report such faults; a single one may be chance, repeated
    ones are a card that fails.

    Run again in a new process. `nvidia-smi -q -d ECC` counts them; a reset lets the card put the bad page
    aside.
    """

    code = "DG621"
    name = "ecc-error"
    names = ("cudaErrorECCUncorrectable", "CUDA_ERROR_ECC_UNCORRECTABLE")
    text = "uncorrectable ECC error encountered"
    number = 214
    fact = "the memory of the GPU had an error that cannot be corrected: the hardware, not the code"
    remedy = (
        "run again in a new process; if it comes back, reset or reboot the card (nvidia-smi -q -d ECC, "
        "dmesg shows Xid) or use another one"
    )
    CASES = (Case("public_ecc_error"),)  # the wording comes from public reports
