"""DG628."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class InvalidProgramCounter(CudaError):
    """A thread continued at an address that is no code.

    Function pointers and virtual tables have other values on the GPU than on the host: an object with
    virtual functions made on the host and copied over cannot be used. A local array written past its end
    overwrites the return address.

    Pass functors as template arguments, make such objects on the GPU, and check local arrays under
    compute-sanitizer.
    """

    code = "DG628"
    name = "invalid-program-counter"
    names = ("cudaErrorInvalidPc", "CUDA_ERROR_INVALID_PC")
    text = "invalid program counter"
    number = 718
    fact = "a kernel jumped to an address that holds no code"
    remedy = (
        "look for a function pointer taken on the host, for virtual functions of objects made on the "
        "host, and for arrays written past their end in the kernel"
    )
    CASES = (Case("public_invalid_program_counter"),)  # the wording comes from public reports
