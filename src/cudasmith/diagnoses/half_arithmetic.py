"""DG246."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import detail, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate

_SAID = re.compile(
    r'no operator "(?P<op>.+?)" matches these operands'
    r'|no suitable (?:conversion function|constructor) (?:exists to convert )?from "(?P<from>.*?)" to "(?P<to>.*?)"'
)
_SMALL = re.compile(r"__half2?\b|__nv_bfloat162?\b|__nv_fp8_\w+|\bhalf2?\b")
_FLAGS = {
    "__half": "-U__CUDA_NO_HALF_OPERATORS__ -U__CUDA_NO_HALF_CONVERSIONS__ -U__CUDA_NO_HALF2_OPERATORS__",
    "__nv_bfloat16": "-U__CUDA_NO_BFLOAT16_CONVERSIONS__ -U__CUDA_NO_BFLOAT16_OPERATORS__",
}


def _to_and_from(small: str) -> tuple[str, str]:
    if small.startswith("__nv_bfloat16"):
        return "__bfloat162float", "__float2bfloat16"
    return "__half2float", "__float2half"


class HalfArithmetic(Diagnosis):
    """`__half` or `__nv_bfloat16` is used like a number, but its operators and conversions are switched off.

    torch compiles extensions with `-D__CUDA_NO_HALF_OPERATORS__`, `-D__CUDA_NO_HALF_CONVERSIONS__` and the like, so that
    its own type c10::Half is not mixed up with CUDA's. Then `a + b` and `float f = a` are errors for `__half`.

    Compute in float: `__half2float(a)`, and back with `__float2half(v)`; or call `__hadd`, `__hmul`, `__hfma`. Or switch
    the operators on with extra_cuda_cflags: `-U__CUDA_NO_HALF_OPERATORS__`, `-U__CUDA_NO_HALF_CONVERSIONS__`,
    `-U__CUDA_NO_HALF2_OPERATORS__`, `-U__CUDA_NO_BFLOAT16_CONVERSIONS__`.
    """

    code = "DG246"
    name = "half-arithmetic"
    hides = ("DG240",)  # the general one
    CASES = (
        Case("half_ops_disabled", says="__half", line=5),
        Case("half_compare", says="__half", line=7),
        Case("half_plus_float", says="__half", line=7),
        Case("float_to_half", says="__half", line=7),
        Case("half2_member", says="__half", line=7),
        Case("bf16_conversion", says="__nv_bfloat16", line=7),
        Case("tf32_mma_arch", says="__nv_fp8_e4m3", line=6),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        types = detail(log, said, r"operand types are: (?P<types>.*)$")
        what = f"{m['from']} to {m['to']}" if m["from"] else types["types"] if types else ""
        small = _SMALL.search(what)
        if small is None or "c10::" in what:
            return None
        verb = "there is no conversion from" if m["from"] else "there is no operator for"
        load, store = _to_and_from(small[0])
        if small[0].startswith("__nv_fp8"):
            return hit_at(
                said,
                f"{verb} {what}",
                f"compute in float: static_cast<float>(v), and back with {small[0]}(v)",
            )
        flags = _FLAGS["__nv_bfloat16" if "bfloat" in small[0] else "__half"]
        return hit_at(
            said,
            f"{verb} {what}: torch switches them off",
            f"compute in float with {load}(...) and {store}(...), or pass extra_cuda_cflags={flags.split()}",
        )
