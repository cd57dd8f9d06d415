"""DG252."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    rf'no operator "(?P<op>.+?)" matches these operands|operand types are incompatible \((?P<types>.*)\)|no match for {Q}operator(?P<gxx>.+?){Q}'
)


class MissingOperator(Diagnosis):
    """An operator is used on types that have none, such as the sum of two float4.

    CUDA's vector types are plain structs: no arithmetic is defined for them. The same holds for comparing a pointer with a
    number.

    Compute member by member, or write the operator once as a `__device__` function.
    """

    code = "DG252"
    name = "missing-operator"
    CASES = (
        Case("vector_arithmetic", says="float4 + float4", line=6),
        Case("string_literal_operator", says="float *", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        types = detail(log, said, r"operand types are: (?P<types>.*)$")
        what = m["types"] or (types["types"] if types else m["op"] or m["gxx"])
        if re.search(r"__half|__nv_|c10::|\bhalf2?\b", what):
            return None
        if re.search(r"\b(?:float|double|int|uint|uchar|char)[234]\b", what):
            help = "compute member by member: make_float4(a.x + b.x, ...)"
        else:
            help = "compare or combine values of one kind: is an index or a conversion missing?"
        return hit_at(said, f"there is no operator for {what}", help)
