"""DG602."""

from __future__ import annotations

from cudasmith.diagnoses._access import Blame, blamed_cast
from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case
from cudasmith.diagnoses._launches import OnlyLaunch


class MisalignedAddress(CudaError):
    """A load or store of N bytes needs an address that is a multiple of N.

    A whole tensor starts aligned, but a slice such as x[1:] does not, and neither does row r of a matrix
    whose row length is no multiple of the vector. A cast to float4 does not change the address. In shared
    memory, arrays of different types carved out of one buffer can end up at odd offsets.

    Check `reinterpret_cast<uintptr_t>(p) % 16 == 0` and the row length on the host and take a scalar
    kernel otherwise; put the widest type first in shared memory, or give it __align__(16).
    """

    code = "DG602"
    name = "misaligned-address"
    names = ("cudaErrorMisalignedAddress", "CUDA_ERROR_MISALIGNED_ADDRESS")
    text = "misaligned address"
    number = 716
    fact = "a kernel used an address that is no multiple of the size of what it reads or writes there"
    remedy = (
        "where a pointer is cast to float4, int4, half2 or the like: use it only when the address and the "
        "row length are multiples of the vector, with a scalar path for the rest"
    )
    CASES = (
        Case("odd_misaligned_slice", says="no multiple", line=8),
        Case("public_misaligned_address"),
    )  # the wording comes from public reports

    def blame(self, launch: OnlyLaunch) -> Blame | None:
        return blamed_cast(launch)
