"""DG605."""

from __future__ import annotations

from cudasmith.diagnoses._access import Blame, blamed_index
from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._launches import OnlyLaunch


class LaunchFailure(CudaError):
    """The kernel started and died of a fault that has no code of its own.

    Most often an index outside a __shared__ or local array, an invalid pointer, an exception inside a
    matrix instruction, or a barrier used by some threads only. On a desktop it may be the card itself:
    power, heat, memory.

    compute-sanitizer tells the access and the thread; its tools racecheck and synccheck look at shared
    memory and barriers. The process cannot use CUDA any more: start a new one for each try.
    """

    code = "DG605"
    name = "launch-failure"
    names = ("cudaErrorLaunchFailure", "CUDA_ERROR_LAUNCH_FAILED")
    text = "unspecified launch failure"
    number = 719
    fact = "a kernel was stopped by a fault that the driver does not name"
    remedy = (
        "run under `compute-sanitizer python FILE`: it names the kernel and the address. Check indices "
        "into shared memory and local arrays, and barriers that not all threads reach"
    )
    CASES = (Case("public_launch_failure"),)  # the wording comes from public reports

    def blame(self, launch: OnlyLaunch) -> Blame | None:
        return blamed_index(launch)
