"""DG240."""

from __future__ import annotations

import re

from cudasmith.diagnoses._compile import Q, own_error
from cudasmith.diagnoses._diagnosis import Case, Diagnosis, Hit, hit_at
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate

_SAID = re.compile(
    rf'argument of type "(?P<given>.*?)"(?: \(aka .*?\))? is incompatible with parameter of type "(?P<wanted>.*?)"'
    rf'|a value of type "(?P<value>.*?)"(?: \(aka .*?\))? cannot be (?:used to initialize|assigned to) an entity of type "(?P<entity>.*?)"'
    r'|no suitable (?:constructor exists to convert|conversion function|user-defined conversion) from "(?P<object>.*?)"'
    r'(?: \(aka ".*?"\))? to "(?P<target>.*?)"'
    rf"|(?:invalid conversion|cannot convert) (?:from )?{Q}(?P<from>.*?){Q} to {Q}(?P<to>.*?){Q}"
    rf"|(?:could not convert {Q}.*?{Q}|conversion) from {Q}(?P<made>[^<{{]*?){Q} to (?:non-scalar type )?{Q}(?P<tensor>(?:at|torch)::Tensor){Q}"
)


_TENSOR = r"(?:const )?(?:at|torch)::Tensor ?&?"
_RETURNED = "return a tensor: torch::full({}, value, x.options()), or give the function a number's type, such as double"


def _types(m: re.Match[str]) -> tuple[str, str]:
    given = m["given"] or m["value"] or m["object"] or m["from"] or m["made"]
    return given, m["wanted"] or m["entity"] or m["target"] or m["to"] or m["tensor"]


def _advice(given: str, wanted: str) -> str:
    """What to do, from the two types."""
    bare = re.sub(r"\bconst\b\s*", "", given).replace(" ", "")
    if bare == wanted.replace(" ", "") and "const" in given:
        return f"declare the parameter {given}, if it is only read; else take a pointer that is not const"
    if re.fullmatch(_TENSOR, given):
        if "*" in wanted:
            return "pass the tensor's memory: .data_ptr<T>(), or .const_data_ptr<T>() for what is only read"
        return f"read the number of a tensor with one element: .item<{wanted}>()"
    if re.fullmatch(r"cudaStream_t|CUstream_st \*", given):
        return "<<<blocks, threads, shared bytes, stream>>>: write 0 for the shared bytes before the stream"
    if re.fullmatch(r"(?!dim3)\w+[234]", wanted) and "*" not in given:
        return f"read the vector through a pointer to it: reinterpret_cast<const {wanted}*>(...)[i]; or make_{wanted}(...)"
    if given == "void":
        return "the function returns nothing: give it a return type, or do not use its value"
    if "*" in given and "*" not in wanted:
        return f"a pointer is given where a value ({wanted}) is expected: read the element, or pass another variable"
    if "*" in wanted and "*" not in given:
        return (
            f"a value is given where a pointer ({wanted}) is expected: pass the array, or write & before it"
        )
    if "*" not in given and "*" not in wanted:
        return _of_values(given, wanted)
    return f"make both the same type; reinterpret_cast<{wanted}>(...) only where the bytes really are of that type"


def _of_values(given: str, wanted: str) -> str:
    if wanted == "dim3":
        return "grid and block are numbers or dim3(x, y, z): write dim3(x.size(0)) or the numbers themselves"
    if re.fullmatch(_TENSOR, wanted):
        return (
            "functions of torch take tensors, on the host; in a kernel compute with numbers: fmaxf, expf, ..."
        )
    return f"convert it to {wanted}, or give another variable"


class WrongArgumentType(Diagnosis):
    """A function, often a kernel, is given an argument of a type that does not fit its parameter.

    C++ converts numbers by itself, but no pointers: `double*` is not `float*`, `const float*` may not become `float*`,
    and a value is not a pointer. With tensors the type comes from `data_ptr<T>()`.

    Make both sides agree. Read-only parameters of kernels are best declared `const T* __restrict__`; take the pointer with
    the kernel's own type, and check the tensor's dtype before.
    """

    code = "DG240"
    name = "wrong-argument-type"
    CASES = (
        Case("kernel_wrong_args", says="double *", line=8),
        Case("const_dropped", says="const float *", line=8),
        Case("pointer_for_value", says="float *", line=6),
        Case("shared_pointer_function", says="float *", line=6),
        Case("pointer_of_other_type", says="int *", line=6),
        Case("shift_float", says="float *", line=6),
        Case("assign_to_void", says="void", line=6),
        Case("gxx_invalid_conversion", says="const float*", line=6),
        Case("sizes_for_grid", says="dim3", line=17),
        Case("torch_function_in_kernel", says="at::Tensor", line=11),
        Case("float4_from_float", says="float4", line=12),
    )

    def match(self, log: Log, candidate: Candidate | None) -> Hit | None:
        found = own_error(log, _SAID)
        if found is None:
            return None
        said, m = found
        given, wanted = _types(m)
        if "DeprecatedTypeProperties" in given and "ScalarType" in wanted:
            return None  # DG235 has the remedy
        place = spot(log, said, candidate)
        span = place.expression_at_caret() if place is not None else None
        returned = place is not None and re.match(r"\s*return\b", place.text) is not None
        help = _RETURNED if returned and re.fullmatch(_TENSOR, wanted) else _advice(given, wanted)
        return hit_at(said, f"{given} is given where {wanted} is expected", help, span=span)
