"""DG603."""

from __future__ import annotations

from cudasmith.diagnoses._cuda_error import CudaError
from cudasmith.diagnoses._diagnosis import Case


class WrongAddressSpace(CudaError):
    """Some instructions work on global memory only, others on shared memory only; this one got the wrong
    kind.

    It comes from inline PTX (`ld.global`, `cp.async`, `ldmatrix`) with an address that was not converted,
    from an atomic on local memory, or from a pointer that was overwritten by an index out of bounds.

    Convert addresses with __cvta_generic_to_shared before they enter PTX for shared memory; where no PTX
    is used, search for an array written past its end.
    """

    code = "DG603"
    name = "wrong-address-space"
    names = ("cudaErrorInvalidAddressSpace", "CUDA_ERROR_INVALID_ADDRESS_SPACE")
    text = "operation not supported on global/shared address space"
    number = 717
    fact = "an instruction for one kind of memory got an address of another"
    remedy = (
        "look at inline PTX and __cvta_* / cp.async / atomics: give instructions for shared memory a "
        "shared address (__cvta_generic_to_shared), and those for global memory a pointer of a tensor"
    )
    CASES = (Case("public_wrong_address_space"),)  # the wording comes from public reports
