"""DG316."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, sound_errors
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.diagnoses._symbol import undefined
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file
from cudasmith.source.regions import Region

_TOLD = re.compile(rf".*incomplete type {Q}(?:\w+::)*CppTypeToScalarType<(?P<type>[^\"'\u2018\u2019]+)>{Q}")
_SYMBOL = re.compile(r"\bat::TensorBase::(?:const_|mutable_)?data_ptr<(?P<type>.+)>\(\) const")
# What torch calls the elements that CUDA and C++ call so. The bytes are the same.
_TORCH = {
    "long long": "int64_t",
    "unsigned long long": "uint64_t",
    "char": "int8_t",
    "__half": "at::Half",
    "__half2": "at::Half",
    "__nv_bfloat16": "at::BFloat16",
    "__nv_bfloat162": "at::BFloat16",
    "__nv_fp8_e4m3": "at::Float8_e4m3fn",
    "__nv_fp8_e5m2": "at::Float8_e5m2",
    "float2": "float",
    "float4": "float",
    "double2": "double",
    "int2": "int",
    "int4": "int",
    "thrust::complex<float>": "c10::complex<float>",
    "thrust::complex<double>": "c10::complex<double>",
}
_SPELLED = {  # other words for the same type, which compilers replace by the first
    "long long": r"(?:long\s+long(?:\s+int)?|int\s+long\s+long)",
    "unsigned long long": r"(?:unsigned\s+long\s+long(?:\s+int)?|long\s+long\s+unsigned(?:\s+int)?)",
    "__half": r"(?:__half|half)",
    "__half2": r"(?:__half2|half2)",
    "__nv_bfloat16": r"(?:__nv_bfloat16|nv_bfloat16)",
    "__nv_bfloat162": r"(?:__nv_bfloat162|nv_bfloat162)",
}


class TensorElementType(Diagnosis):
    """The elements of a tensor are asked for as a C++ type that is none of torch's dtypes.

    torch knows its own types only: float, double, at::Half, at::BFloat16, int8_t to int64_t, uint8_t to uint64_t, bool,
    c10::complex. CUDA's __half, __nv_bfloat16 and float4, and long long where int64_t is long, are other types to C++,
    although their bytes are the same. With torch's own headers data_ptr of such a type even compiles, and the import
    fails for want of a symbol.

    Ask for torch's type, and cast the pointer where the kernel takes the other one:
    `reinterpret_cast<__half*>(x.data_ptr<at::Half>())`; for whole numbers of 64 bits write `int64_t` in the kernel as well.
    """

    code = "DG316"
    name = "tensor-element-type"
    hides = ("DG411", "DG409")  # the same symbol, taken for another version's, or for one of the file
    proves = True
    CASES = (
        Case("data_ptr_long_long_light", says="long long is none of torch's types", line=15),
        Case("data_ptr_half_light", says="__half is none of torch's types", line=15),
        Case("data_ptr_bfloat16_light", says="__nv_bfloat16 is none of torch's types", line=15),
        Case("data_ptr_half_import", says="__half is none of torch's types", line=15),
        Case("data_ptr_long_long_gxx", says="long long is none of torch's types", line=7),
        Case("data_ptr_long_long_import", says="long long is none of torch's types", line=7),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        for said in sound_errors(log):
            if m := _TOLD.match(said.text):
                place = spot(log, said, candidate)
                kind = _plain(m["type"])
                part = (place.region, place.start, place.end) if place is not None else None
                return _hit(kind, said.at, part, said.file, said.line)
        seen = undefined(log, candidate, "torch")
        if seen is None or (m := _SYMBOL.search(seen.name)) is None:
            return None
        return _hit(_plain(m["type"]), seen.at, _first_use(candidate, _plain(m["type"])))


def _hit(
    kind: str,
    at: int,
    part: tuple[Region, int, int] | None,
    file: str | None = None,
    line: int | None = None,
) -> Hit:
    """`part`: the line of a source that asks for the type, as offsets."""
    span, fix = _places(kind, part) if part is not None else (None, None)
    message = f"{kind} is none of torch's types: no tensor has such elements"
    return Hit(message, at, _help(kind), file, line, span, fix=fix)


def _help(kind: str) -> str:
    if kind == "void":
        return "write data_ptr() for a pointer without a type"
    if kind.startswith("const ") and (own := _TORCH.get(kind.removeprefix("const "), kind[6:])):
        return f"write const_data_ptr<{own}>(), which gives a pointer to const"
    own = _TORCH.get(kind, "")
    if not own:
        return f"ask for the tensor's own type, such as float, and cast: reinterpret_cast<{kind}*>(x.data_ptr<float>())"
    cast = f"reinterpret_cast<{kind}*>(x.data_ptr<{own}>())"
    if own.endswith("_t"):
        return f"write data_ptr<{own}>() and {own} in the kernel too, or {cast}"
    return f"write {cast}"


def _places(kind: str, part: tuple[Region, int, int]) -> tuple[Span | None, Fix | None]:
    """The type where the line first names it, and the line with every such call cast."""
    region, start, end = part
    text = region.text[start:end]
    named = re.search(rf"<\s*(?P<type>{_spelling(kind)})\s*>", text)
    span = region.span(start + named.start("type"), start + named.end("type")) if named else None
    own = _TORCH.get(kind)
    calls = list(
        re.finditer(
            rf"(?P<of>\w+(?:(?:\.|->)\w+(?:\(\))?)*?)(?P<dot>\.|->)data_ptr<\s*{_spelling(kind)}\s*>\(\)",
            text,
        )
    )
    if not calls or own is None:
        return span, None
    first, last = calls[0].start(), calls[-1].end()
    cast = rf"reinterpret_cast<{kind}*>(\g<of>\g<dot>data_ptr<{own}>())"
    fixed = re.sub(calls[0].re, cast, text[first:last])
    place = region.span(start + first, start + last)
    return span, Fix(place, fixed) if place is not None else None


def _first_use(candidate: Candidate | None, kind: str) -> tuple[Region, int, int] | None:
    """The first line of the file's sources that asks for elements of that type."""
    asked = re.compile(rf"\bdata_ptr\s*<\s*{_spelling(kind)}\s*>")
    for build in parse_file(candidate).builds if candidate is not None else ():
        for region in build.regions():
            if m := asked.search(region.text):
                end = region.text.find("\n", m.end())
                return (
                    region,
                    region.text.rfind("\n", 0, m.start()) + 1,
                    end if end >= 0 else len(region.text),
                )
    return None


def _plain(spelled: str) -> str:
    """g++ writes `long long int`, the linker `float const`."""
    words = re.sub(r"\s+int$", "", " ".join(spelled.split())) if "long" in spelled else spelled.strip()
    return f"const {words.removesuffix(' const')}" if words.endswith(" const") else words


def _spelling(kind: str) -> str:
    return _SPELLED.get(kind) or r"\s+".join(map(re.escape, kind.split()))
