"""DG629."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class InvalidPtx(CudaError):
    """The library held PTX only, and the driver's compiler refused it.

    Hand-written PTX, PTX for a newer architecture than the card, or a driver that does not know an
    instruction. The driver gives no line.

    Compile for the exact card, so that ptxas does the work at build time and names the line.
    """

    code = "DG629"
    name = "invalid-ptx"
    names = ("cudaErrorInvalidPtx", "CUDA_ERROR_INVALID_PTX")
    text = "a PTX JIT compilation failed"
    number = 218
    fact = "the driver could not compile the PTX of a kernel"
    remedy = (
        "let nvcc make machine code for this card instead (TORCH_CUDA_ARCH_LIST without +PTX): ptxas then "
        "names the faulty line"
    )
    CASES = (Case("public_invalid_ptx"),)  # the wording comes from public reports
