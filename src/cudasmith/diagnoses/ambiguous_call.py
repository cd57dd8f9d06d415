"""DG243."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf'more than one instance of overloaded function "(?P<edg>.*?)" matches|call of overloaded {Q}(?P<gxx>.*?)\(.* is ambiguous'
)


class AmbiguousCall(Diagnosis):
    """Two functions of that name fit the arguments equally well.

    Each candidate would need a conversion, and none is better. An `int` given to functions for `float` and `double` is such
    a case; so are std and CUDA functions of one name with mixed arguments.

    Give arguments of exactly one candidate's types: `3.0f` instead of `3`, or a `static_cast<float>(...)`. CUDA's own names
    (`fmaxf`, `expf`) have one type only.
    """

    code = "DG243"
    name = "ambiguous-call"
    CASES = (Case("ambiguous_call", says="scale", line=9),)

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        types = detail(log, said, r"argument types are: \((?P<types>.*)\)")
        if types is not None and "c10::" in types["types"]:
            return None
        name = m["edg"] or m["gxx"]
        given = f" ({types['types']})" if types else ""
        return hit_at(
            said,
            f'the call of "{name}" is ambiguous{given}',
            "convert the arguments to the types of the one you mean",
        )
