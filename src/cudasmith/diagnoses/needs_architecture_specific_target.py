"""DG303."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class NeedsArchitectureSpecificTarget(PtxasError):
    """An instruction exists only in the architecture-specific variant of a target, such as sm_90a, and the file
    is compiled for the plain one.

    Warp-group matrix instructions (wgmma), setmaxnreg and the tensor-memory instructions of later cards
    are not part of the forward-compatible instruction set. NVIDIA gives them only to targets with the
    letter a (or f), whose code runs on that card alone.

    Compile for the variant: set TORCH_CUDA_ARCH_LIST to 9.0a (10.0a, 12.0a on later cards), or pass
    -gencode=arch=compute_90a,code=sm_90a. Keep the instructions out of what older cards compile, with
    #ifdef __CUDA_ARCH_FEAT_SM90_ALL.
    """

    code = "DG303"
    name = "needs-architecture-specific-target"
    pattern = r"(?:Instruction|Feature|Modifier) '(?P<quoted>[^']+)' (?:not supported on \.target|cannot be compiled for architecture) '(?P<target>\w+)'"
    fact = "{quoted} is not available on the target {target}"
    remedy = (
        "compile for the architecture-specific target {target}a: TORCH_CUDA_ARCH_LIST with an a at the "
        "end, such as 9.0a"
    )
    CASES = (Case("ptxas_wgmma_needs_90a", says="wgmma.fence", line=4),)
