"""DG601."""

from __future__ import annotations

from cudasmith.diagnoses._access import Blame, blamed_index
from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._launches import OnlyLaunch


class IllegalMemoryAccess(CudaError):
    """A thread used an address outside every allocation of the GPU, and the kernel was stopped.

    Usual reasons: no `if (i < n)` in the last block; a size or stride of another layout, since the tensor
    is not contiguous; a product of sizes that overflows `int`; the pointer of a CPU tensor; the pointer
    of a temporary such as x.contiguous(), which is freed before the kernel runs; a malloc in the kernel that gave NULL,
    since the heap of the GPU (8 MB) was full.

    After this error every CUDA call of the process fails, so start a new process. CUDA_LAUNCH_BLOCKING=1
    makes the traceback end at the launch that failed; compute-sanitizer names the kernel and the thread,
    and with -lineinfo the line.
    """

    code = "DG601"
    name = "illegal-memory-access"
    names = ("cudaErrorIllegalAddress", "CUDA_ERROR_ILLEGAL_ADDRESS")
    text = "an illegal memory access was encountered"
    number = 700
    fact = "a kernel read or wrote memory that is not its own"
    remedy = (
        "run once under CUDA_LAUNCH_BLOCKING=1 or `compute-sanitizer python FILE`; then check the bound "
        "of every index, 32-bit products of sizes, .contiguous(), and that every pointer is of a CUDA "
        "tensor"
    )
    CASES = (
        Case("public_illegal_memory_access"),  # the wording comes from public reports
        Case("cuda_heap_exhausted", line=10),
    )

    def blame(self, launch: OnlyLaunch) -> Blame | None:
        return blamed_index(launch)
