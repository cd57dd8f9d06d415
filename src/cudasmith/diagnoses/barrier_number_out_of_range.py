"""DG313."""

from __future__ import annotations

from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._ptxas import PtxasError


class BarrierNumberOutOfRange(PtxasError):
    """A named barrier in an asm statement has a number that a block does not have.

    A block has sixteen barriers, 0 to 15; __syncthreads uses number 0.

    Take a number from 1 to 15. Where more groups must wait apart, use mbarrier objects in shared memory
    or cooperative groups.
    """

    code = "DG313"
    name = "barrier-number-out-of-range"
    pattern = r"Barrier number '(?P<number>\d+)' out of range"
    fact = "barrier number {number} does not exist: a block has 0 to 15"
    remedy = "use a number from 1 to 15 (__syncthreads is 0)"
    CASES = (Case("ptxas_barrier_out_of_range", says="17"),)
