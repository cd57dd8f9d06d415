"""DG604."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class IllegalDeviceInstruction(CudaError):
    """The GPU met an instruction that it cannot carry out, and the kernel was stopped.

    __trap() gives this error, and so does what the compiler puts at the end of a function that returns no
    value. Otherwise it is an instruction of another architecture in inline PTX, or a matrix instruction
    with a broken descriptor.

    Return a value on every path, compile with warnings, build for the card in the machine, and bisect
    with the kernel's parts taken out. If a kernel of torch itself gives the error, a fault of driver or
    hardware is likely.
    """

    code = "DG604"
    name = "illegal-device-instruction"
    names = ("cudaErrorIllegalInstruction", "CUDA_ERROR_ILLEGAL_INSTRUCTION")
    text = "an illegal instruction was encountered"
    number = 715
    fact = "a kernel met an instruction that the GPU refuses"
    remedy = (
        "search the kernel for __trap(), for a switch or function that ends without return, and for "
        "tensor-core instructions (wgmma, mma, tma) with operands they do not allow; build for the arch "
        "of this card"
    )
    CASES = (Case("public_illegal_device_instruction"),)  # the wording comes from public reports
