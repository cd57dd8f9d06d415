"""DG603."""

from __future__ import annotations

import re

import attrs

from cudasmith.diagnoses._access import Blame, blamed_index
from cudasmith.diagnoses._cuda_error import CudaError, Spoken
from cudasmith.diagnoses._diagnosis import Case, Hit
from cudasmith.diagnoses._launches import OnlyLaunch
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

# What works on global or on shared memory only.
_OF_ONE_MEMORY = re.compile(r"\basm\b|__cvta|memcpy_async|pipeline|ldmatrix|wmma|mbarrier|\batomic\w*\(")


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
    CASES = (
        Case("odd_row_stride", says="far outside", line=11),
        Case("public_wrong_address_space"),
    )  # the wording comes from public reports

    def hit(self, said: Spoken, log: Log, candidate: Candidate | None) -> Hit:
        found = super().hit(said, log, candidate)
        if candidate is None or _OF_ONE_MEMORY.search(candidate.text):
            return found
        return attrs.evolve(
            found,
            message="a kernel used an address far outside of all memory: an index is wrong by orders of magnitude",
            help="the file has no instruction that works on one kind of memory only; check the products in the kernel's "
            "indices, their strides, and 32-bit overflow; `compute-sanitizer python FILE` names the access",
        )

    def blame(self, launch: OnlyLaunch) -> Blame | None:
        return blamed_index(launch)
