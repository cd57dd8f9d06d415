"""DG622."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class PtxTooNew(CudaError):
    """Where a library has no machine code for a card, the driver compiles its PTX; this driver is older than
    that PTX.

    Machine code of the same major CUDA version runs with older drivers, PTX of a newer toolkit never
    does. So the file was built for another card, or with code=compute_XX only.

    Name the card's capability in TORCH_CUDA_ARCH_LIST (such as 8.6) so that no PTX is needed.
    """

    code = "DG622"
    name = "ptx-too-new"
    names = ("cudaErrorUnsupportedPtxVersion", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION")
    text = "the provided PTX was compiled with an unsupported toolchain"
    number = 222
    fact = "the library holds PTX of a newer CUDA toolkit than the driver knows"
    remedy = (
        "build machine code for this card, with its compute capability in TORCH_CUDA_ARCH_LIST and no "
        "+PTX; or use a toolkit not newer than `nvidia-smi` shows, or update the driver"
    )
    CASES = (Case("public_ptx_too_new"),)  # the wording comes from public reports
