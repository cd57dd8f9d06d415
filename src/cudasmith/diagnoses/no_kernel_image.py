"""DG607."""

from __future__ import annotations

import attrs

from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate

# An option or a variable that chooses what GPU is built for.
_ARCH = r"(['\"])-[^'\"\n]*\b(?:sm|compute)_\d+[^'\"\n]*\1|(?:\bTORCH_CUDA_ARCH_LIST\b['\"]?\]?\s*[=,][^\n]*)"


class NoKernelImage(CudaError):
    """A kernel was compiled for other GPUs than the one it should run on, and without PTX from which the
    driver could build.

    It happens with -gencode or TORCH_CUDA_ARCH_LIST set for another card, with a build folder shared
    between machines, with arch names that end in `a` (9.0a runs on 9.0 only), and with a torch wheel that
    is older than the card.

    Build for the card that is there: without any arch option load_inline asks it. `cuobjdump --list-elf
    NAME.so` lists what a library holds. If torch's own kernels fail, install a torch for this card.
    """

    code = "DG607"
    name = "no-kernel-image"
    names = ("cudaErrorNoKernelImageForDevice", "CUDA_ERROR_NO_BINARY_FOR_GPU")
    text = "no kernel image is available for execution on the device"
    number = 209
    fact = "the library holds no code for this GPU"
    remedy = (
        "drop -arch/-gencode from extra_cuda_cflags and TORCH_CUDA_ARCH_LIST, so that torch builds for "
        "the GPU it sees; or name its compute capability (torch.cuda.get_device_capability()); remove the "
        "old build first"
    )
    CASES = (
        Case("odd_other_architecture", says="no code for this GPU", line=24),
        Case("public_no_kernel_image"),
    )  # the wording comes from public reports

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        found = super().hit(said, log, candidate)
        span = only_place(candidate, _ARCH)
        return found if span is None else attrs.evolve(found, file=None, line=None, span=span)
