"""Host functions of the file that a kernel calls by name: on a CPU they would run, nvcc refuses them.

Only what is certain is refused. Not decided: templates, constexpr, lambdas, methods, overloads, functions with a macro
or an attribute in their head, functions of headers, and texts that ask for __CUDA_ARCH__.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.symbols import Function
from cudasmith.cuda.tokens import line_of, tokenize
from cudasmith.emulator.errors import EmulatorBuildError

_PLAIN = frozenset(
    [
        "static",
        "inline",
        "const",
        "unsigned",
        "signed",
        "long",
        "int",
        "short",
        "char",
        "float",
        "double",
        "bool",
        "void",
        "size_t",
    ]
)
_MATH = frozenset(  # beside those that Python knows too; with f or l at the end as well
    [
        "min",
        "max",
        "abs",
        "labs",
        "llabs",
        "fmax",
        "fmin",
        "fdim",
        "fma",
        "rsqrt",
        "rcbrt",
        "exp10",
        "sinpi",
        "cospi",
        "sincos",
        "sincospi",
        "norm",
        "rint",
        "nearbyint",
        "lrint",
        "llrint",
        "round",
        "lround",
        "llround",
        "logb",
        "ilogb",
        "scalbn",
        "scalbln",
        "nan",
        "remquo",
        "signbit",
        "normcdf",
        "normcdfinv",
        "erfcx",
        "erfinv",
        "erfcinv",
        "tgamma",
        "lgamma",
        "j0",
        "j1",
        "jn",
        "y0",
        "y1",
        "yn",
        "rhypot",
        "norm3d",
        "norm4d",
        "div",
        "printf",
        "malloc",
        "free",
        "memcpy",
        "memset",
        "assert",
        "clock",
        "clock64",
    ]
)
_INCLUDE = Path(__file__).parent / "include"


def host_calls(text: str, label: str) -> Iterator[EmulatorBuildError]:
    """A refusal in nvcc's words for each such call in a kernel."""
    if "__global__" not in text or "__CUDA_ARCH__" in text:
        return
    functions = symbols(text).functions
    for caller in functions:
        if not (caller.is_kernel and caller.is_definition) or caller.template:
            continue
        for call in caller.calls:
            named = [f for f in functions if f.name == call.callee]
            if call.receiver is not None or call.template or len(named) != 1:
                continue
            if (
                _is_host(text, named[0])
                and _only_called(text, caller, call.callee)
                and not _of_cuda(call.callee)
            ):
                types = ", ".join(p.type for p in named[0].params)
                said = f'calling a __host__ function("{call.callee}({types})") from a __global__ function("{caller.name}") is not allowed'
                yield EmulatorBuildError(said, source=label, line=line_of(text, call.name_start))


def _is_host(text: str, f: Function) -> bool:
    """Whether the head before its name holds nothing but words of C++ that say no place."""
    words = re.findall(r"\w+", text[f.head_start : f.name_start])
    between = re.sub(r"\w+|[\s*&]", "", text[f.head_start : f.name_start])
    return not f.template and not f.namespace and not between and _PLAIN.issuperset(words) and bool(words)


def _only_called(text: str, caller: Function, name: str) -> bool:
    """Whether the name stands in the kernel only where a call begins: no variable or lambda of that name hides it."""
    tokens = tokenize(text[caller.start : caller.end])
    for i, token in enumerate(tokens[:-1]):
        before = tokens[i - 1] if i else None
        declared = (
            before is not None and before.kind == "name" and before.text not in ("return", "else", "do")
        )
        if token.text == name and (tokens[i + 1].text != "(" or declared):
            return False
    return True


def _of_cuda(name: str) -> bool:
    """Whether CUDA may have a function of that name for the device, which an overload would choose."""
    plain = name[:-1] if name.endswith(("f", "l")) else name
    if name.startswith("__") or {name, plain} & (_MATH | set(dir(math))):
        return True
    if len(name) == 1:
        return False  # in the headers a parameter: CUDA has no function of one letter
    word = re.compile(rf"\b{re.escape(name)}\s*\(")
    return any(word.search(p.read_text()) for p in _INCLUDE.rglob("*") if p.is_file())
