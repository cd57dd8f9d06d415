"""DG620."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class CooperativeLaunchTooLarge(CudaError):
    """With grid.sync() all blocks must be on the GPU together, so their number is limited.

    The limit is what fits on one multiprocessor, by threads, registers and shared memory, times the
    multiprocessors. It is different on every card; a number found on one fails on a smaller one, and on
    one of two unequal cards.

    Compute the grid at run time for the device of the input, and loop over the work with a stride of the
    grid.
    """

    code = "DG620"
    name = "cooperative-launch-too-large"
    names = ("cudaErrorCooperativeLaunchTooLarge", "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE")
    text = "too many blocks in cooperative launch"
    number = 720
    fact = "a cooperative launch has more blocks than can run at the same time"
    remedy = (
        "take at most cudaOccupancyMaxActiveBlocksPerMultiprocessor times the number of multiprocessors "
        "of this device, and let each block walk over several tiles"
    )
    at_launch = True
    calls = r"cudaLaunchCooperativeKernel|cudaLaunchKernelExC?|cuLaunchCooperativeKernel"
    CASES = (
        Case("public_cooperative_launch_too_large"),  # the wording comes from public reports
        Case("cuda_cooperative_too_many_blocks", line=28),
    )
