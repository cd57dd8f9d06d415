"""DG619."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class DeviceStackOverflow(CudaError):
    """A kernel's functions called each other deeper than the stack of a thread allows.

    A GPU thread has 1 KB of stack unless more is asked for. Recursion and large local arrays in functions
    that are not inlined fill it; ptxas warns at build time that the stack size "cannot be statically
    determined". Without compute-sanitizer the same fault is told as an illegal access or an unspecified
    launch failure.

    Turn the recursion into a loop, or call cudaDeviceSetLimit(cudaLimitStackSize, bytes) before the
    launch; every thread that can be resident gets that much.
    """

    code = "DG619"
    name = "device-stack-overflow"
    names = ("cudaErrorHardwareStackError", "CUDA_ERROR_HARDWARE_STACK_ERROR")
    text = "hardware stack error"
    also = ("========= Stack overflow", "Warp Hardware Stack Overflow", "Lane User Stack Overflow")
    number = 714
    fact = "a thread of a kernel ran out of stack"
    remedy = "replace recursion by a loop, make local arrays smaller, or raise cudaLimitStackSize with cudaDeviceSetLimit"
    CASES = (Case("public_device_stack_overflow"),)  # the wording comes from public reports
