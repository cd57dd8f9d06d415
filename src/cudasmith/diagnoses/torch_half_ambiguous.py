"""DG247."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    r'ambiguous "\?" operation.*"(?:const )?(?P<type>c10::\w+)"|more than one instance of overloaded function'
)


class TorchHalfAmbiguous(Diagnosis):
    """torch's c10::Half or c10::BFloat16 is mixed with another type, and the compiler cannot choose a conversion.

    c10::Half converts to float and from float, so in `a > 0 ? a : 0.0f`, in `max(a, b)` and in intrinsics such as `__hadd`
    several conversions fit equally well.

    Convert once at the load, `float v = static_cast<float>(a[i]);`, compute in float, and convert at the store:
    `c[i] = static_cast<scalar_t>(v);`. Intrinsics need `__half`: `reinterpret_cast<const __half*>(a)`.
    """

    code = "DG247"
    name = "torch-half-ambiguous"
    hides = ("DG246",)
    CASES = (Case("c10half_ambiguous", says="c10::Half", line=6),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        types = detail(log, said, r"argument types are: \(.*(?P<type>c10::\w+)")
        kind = m["type"] or (types["type"] if types else None)
        if kind is None:
            return None
        return hit_at(
            said,
            f"{kind} is mixed with another type, and more than one conversion fits",
            "convert with static_cast<float>(...) at the load, compute in float, convert back at the store",
        )
