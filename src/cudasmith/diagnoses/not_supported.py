"""DG636."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class NotSupported(CudaError):
    """The call exists, but this card, driver or virtual machine does not offer it.

    Common ones: memory pools on virtual cards, cluster launches before compute capability 9.0, IPC on
    Windows and WSL, host registration in containers.

    Ask cudaDeviceGetAttribute for the feature and take another way where it is missing.
    """

    code = "DG636"
    name = "not-supported"
    names = ("cudaErrorNotSupported", "CUDA_ERROR_NOT_SUPPORTED")
    text = "operation not supported"
    number = 801
    fact = "a CUDA call is not possible on this card or in this environment"
    remedy = (
        "see which call it was: cudaMallocAsync, managed memory, cooperative launches, clusters and IPC "
        "each need a card, driver or system that has them"
    )
    CASES = (Case("public_not_supported"),)  # the wording comes from public reports
