"""DG608."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class TooManyLaunchResources(CudaError):
    """A block's threads times the registers of each exceed the register file, so the launch is refused.

    A multiprocessor has 65536 registers: 1024 threads may have 64 each. The compiler does not know the
    block size and may take up to 255. Debug builds (-G) take more. The same error stands for too large a
    cluster or parameter block.

    `__global__ void __launch_bounds__(1024) kernel(...)` states the size; -maxrregcount does so for the
    whole file; a smaller block needs no promise. `-Xptxas -v` prints the registers of each kernel.
    """

    code = "DG608"
    name = "too-many-launch-resources"
    names = ("cudaErrorLaunchOutOfResources", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")
    text = "too many resources requested for launch"
    number = 701
    fact = "one block needs more registers than a multiprocessor has"
    remedy = (
        "write __launch_bounds__(THREADS) at the kernel with the block size you launch, so that the "
        "compiler keeps registers low enough; or launch fewer threads per block"
    )
    at_launch = True
    CASES = (
        Case("odd_too_many_registers", says="registers", line=28),
        Case("public_too_many_launch_resources"),
    )  # the wording comes from public reports
