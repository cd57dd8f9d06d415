"""DG244."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(r'no instance of overloaded function "(?P<name>atomic\w+)" matches the argument list')


class AtomicNoOverload(Diagnosis):
    """An atomic function does not exist for that type.

    atomicAdd takes int, unsigned, unsigned long long, float, double, and half and bfloat16 on newer GPUs. atomicMax and
    atomicMin take whole numbers only. A signed 64-bit type, a byte or a c10 type fits none.

    Accumulate in float or int and convert afterwards, cast `long long*` to `unsigned long long*` for sums, or use torch's
    gpuAtomicAdd from ATen/cuda/Atomic.cuh. For a float maximum loop over atomicCAS.
    """

    code = "DG244"
    name = "atomic-no-overload"
    CASES = (Case("atomic_no_overload", says="atomicAdd", line=5),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        types = detail(log, said, r"argument types are: \((?P<types>.*)\)")
        given = types["types"] if types else "these types"
        if "long *" in given or "int64_t *" in given:
            help = "cast the pointer to unsigned long long*: a sum of 64-bit integers is the same"
        elif re.search(r"Max|Min", m["name"]) and "float" in given:
            help = "for floats write a loop over atomicCAS on the bits, or reduce without atomics"
        else:
            help = "accumulate in float or int, or use gpuAtomicAdd of ATen/cuda/Atomic.cuh"
        return hit_at(said, f"{m['name']} does not take ({given})", help)
