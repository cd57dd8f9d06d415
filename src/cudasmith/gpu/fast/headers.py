"""Which headers a source needs: whether the light ones are enough, and what of the standard library."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from cudasmith.hostapi.library import LIGHT

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_TORCH = re.compile(r"(torch|ATen|c10|caffe2|pybind11|THC?)/|Python\.h$")
_STRING = re.compile(
    r"\bstd::(string|to_string|\w*string\w*|cout|cerr|clog|endl|ostream|\w*_error|exception|function|map|unordered_map)\b"
    r"|#\s*include\s*<(string|sstream|iostream|fstream|stdexcept|map|unordered_map)>|\b(c10|at|torch)::str\(|\bstring\b"
)

# What torch/types.h brings along of the standard library, by the names a source uses.
_STANDARD: dict[str, str] = {
    "algorithm": r"\bstd::(sort|max_element|min_element|fill|copy|transform|reverse|find|any_of|all_of|clamp|\w+_bound)\b",
    "numeric": r"\bstd::(accumulate|iota|gcd|inner_product|partial_sum|reduce)\b",
    "cmath": r"\bstd::(sqrt|exp|log|pow|ceil|floor|round|fabs|abs|isnan|isinf|tanh|erf|fmod)\w*\b",
    "limits": r"\bstd::numeric_limits\b",
    "memory": r"\bstd::(\w+_ptr|make_unique|make_shared|addressof)\b",
    "functional": r"\bstd::(function|plus|multiplies|less|greater|bind|ref|hash)\b",
    "map": r"\bstd::(multi)?map\b",
    "unordered_map": r"\bstd::unordered_map\b",
    "set": r"\bstd::set\b",
    "unordered_set": r"\bstd::unordered_set\b",
    "array": r"\bstd::array\b",
    "mutex": r"\bstd::(mutex|lock_guard|unique_lock|once_flag|call_once|scoped_lock)\b",
    "atomic": r"\bstd::atomic\b",
    "thread": r"\bstd::thread\b",
    "chrono": r"\bstd::chrono\b",
    "complex": r"\bstd::complex\b",
    "variant": r"\bstd::variant\b",
    "string_view": r"\bstd::string_view\b",
    "stdexcept": r"\bstd::(runtime_error|invalid_argument|logic_error|out_of_range|domain_error|length_error)\b",
    "exception": r"\bstd::exception\b",
    "iostream": r"\bstd::(cout|cerr|endl|clog)\b",
    "sstream": r"\bstd::\w*stringstream\b",
    "cstdio": r"\b(printf|fprintf|snprintf|sprintf|stderr|FILE)\b",
    "cstdlib": r"\b(malloc|free|getenv|exit|abort|atoi)\b",
    "cstring": r"\b(mem(cpy|set|cmp|move)|str(len|cmp|ncmp|cpy))\b",
    "cfloat": r"\b(FLT|DBL)_(MAX|MIN|EPSILON)\b",
    "climits": r"\b(INT|LONG|UINT|LLONG|CHAR|SHRT)_(MAX|MIN)\b",
    "cassert": r"\bassert\s*\(",
    "iterator": r"\bstd::(back_inserter|begin|end|distance|next|prev)\b",
    "type_traits": r"\bstd::(is_\w+|enable_if\w*|conditional\w*|decay\w*|remove_\w+)\b",
    "utility": r"\bstd::(pair|move|swap|forward|exchange)\b",
    "initializer_list": r"\bstd::initializer_list\b",
}
ALL_STANDARD = tuple(_STANDARD)

# What torch/types.h brings along of the toolkit, in a source that nvcc compiles.
_TOOLKIT: dict[str, str] = {
    "cuda_fp16.h": r"half|\b__h(add|sub|mul|div|fma|neg|abs|max|min|eq|ne|lt|le|gt|ge)2?\b|\bhexp|\bhlog|\bhsqrt|\bhrsqrt",
    "cuda_bf16.h": r"bfloat16|\bbf16",
    "cuda_fp8.h": r"__nv_fp8|\bfp8",
}
_TOOLKIT_TOO = ("thrust/complex.h", "cuda/std/array", "cuda/std/limits", "cuda/std/type_traits")


def missing_light_header(text: str) -> str | None:
    """The first header of torch, pybind11 or Python that has no light form, or None."""
    for header in _INCLUDE.findall(text):
        if _TORCH.match(header) and header not in _light_headers():
            return str(header)
    return None


def implied_options(text: str, *, cuda: bool) -> list[str]:
    """Compiler options that bring what `text` uses of the standard library, and of the toolkit, without including it."""
    known = _STANDARD | (_TOOLKIT if cuda else {})
    options = _included(header for header, names in known.items() if re.search(names, text))
    return ["-DCSM_WITH_STRING", *options] if _STRING.search(text) else options


def all_implied_options(text: str, *, cuda: bool) -> list[str]:
    """Everything, for a source that did not compile with what it seemed to need."""
    toolkit = [*_TOOLKIT, *_TOOLKIT_TOO] if cuda else []
    return ["-DCSM_WITH_STRING", *_included([*ALL_STANDARD, *toolkit])]


def _included(headers: Iterable[str]) -> list[str]:
    return [word for header in headers for word in ("-include", header)]


@functools.cache
def _light_headers() -> frozenset[str]:
    return frozenset(str(f.relative_to(LIGHT)) for f in LIGHT.rglob("*.h"))
