"""Whose fault an error is: the source's own, or the light headers' that lack something torch has."""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterator
from pathlib import Path

from cudasmith.hostapi.library import LIGHT
from cudasmith.hostapi.torch_files import torch_files

_ERROR = re.compile(
    r"^(?P<file>[^\s(:][^(:\n]*)(?:\((?P<line>\d+)\)|:(?P<row>\d+)(?::\d+)?): (?:fatal |catastrophic )?error[^:]*: (?P<text>.*)$",
    re.MULTILINE,
)
LINKERS_WORDS = re.compile(
    r"undefined reference|cannot find -l|multiple definition|ld returned|undefined symbol"
)
_TORCH_WORDS = re.compile(
    r"\b(at|torch|c10|caffe2|pybind11|py|csm|csm_light)::|\bcsm_|\b(Tensor|ArrayRef|TensorOptions|IntArrayRef|ScalarType|module_)\b"
    r"|\"(at|torch|c10|pybind11|py|std)\b|[‘'](at|torch|c10|pybind11|py)\b|\b(TORCH|AT|C10|PYBIND11)_\w+"
    r"|\b(torch|ATen|c10|caffe2|pybind11)/\S+\.h\b|\bPython\.h\b"
)
_UNDECLARED = re.compile(
    r"identifier \"(?P<nvcc>\w+)\" is undefined$|[‘'](?P<gcc>\w+)[’'] was not declared in this scope|use of undeclared identifier '(?P<clang>\w+)'"
)
_USING = re.compile(r"\busing\s+(namespace\b|(at|torch|c10|pybind11|py)::)")
_MACRO = re.compile(r"[A-Z][A-Z0-9_]*$|_|Py|py$|cu|CU|nv|thrust$|cub$|csm|\w+_t$")
# Before a name that is declared in the open: a type, macro or namespace anywhere, a variable at the start of a line.
_DECLARING = (
    rb"(\b(struct|class|union|enum|namespace|using|define)\s+(class\s+|\w+\s+)?"
    rb"|^typedef\b[^;\n]*\s[*&]*|^(extern|static|inline|constexpr|const)\b[^;(){}=\n]*\s[*&]*)"
)
_USED_FROM = re.compile(
    r"^(?P<file>main\.cpp|cuda\.cu):(?P<line>\d+):\d+:\s+required from here|at line (?P<row>\d+) of \"?(?P<cuda>cuda\.cu)",
    re.MULTILINE,
)
# What the light headers declare wherever torch's do: where it is missing, the source lacks the include.
_DECLARED_ALIKE = (
    r"(?:getCurrentCUDAStream|getDefaultCUDAStream|(?:Optional)?CUDAGuard|CUDAStream|get(?:Current)?DeviceProperties"
    r"|C10_CUDA_CHECK|C10_CUDA_KERNEL_LAUNCH_CHECK|AT_CUDA_CHECK|PYBIND11_MODULE)"
)
# Wrong whatever torch's headers declare; searched in an error with the line that it quotes.
_CERTAIN = re.compile(
    r"\b(?:type|from) \"at::Tensor\" (?:to|is incompatible with parameter of type) \"(?:const )?(?:unsigned )?(?:float|double|int|long|char|short|bool|__half|half) \*\""
    r"|cannot convert [‘']at::Tensor[’'] to [‘'](?:const )?(?:float|double|int|long int|unsigned char|bool)\*[’']"
    r"|overloaded function \"atomic\w+\" matches the argument list\n(?:.*\n){0,4}?.*argument types are: \(c10::\w+ \*"
    rf"|(?:must be a class or namespace name|no storage class or type specifier|has no member \"\w+\"|is undefined)\s*\n.*(?<!\w){_DECLARED_ALIKE}\b"
    rf"|[‘']{_DECLARED_ALIKE}[’'] (?:was not declared in this scope|is not a member of)"
    r"|[‘']__(?:global|device|shared|constant|launch_bounds)__[’'] (?:does not name a type|was not declared in this scope)"
    r"|unknown type name '__(?:global|device|shared|constant)__'"
    r"|extended character \S+ is not valid in an identifier|stray [‘'](?:\\\d+|[^\x00-\x7f])[’'] in program"
)
# Wrong where torch's dispatch takes no such type, which releases of torch for a long time did, with a warning.
_TYPE_AS_DTYPE = re.compile(
    r"no suitable conversion function from \"(?:const )?at::DeprecatedTypeProperties\" to \"(?:c10|at)::ScalarType\""
    r"|cannot convert [‘'](?:const )?at::DeprecatedTypeProperties[’'] to [‘'](?:const )?(?:c10|at)::ScalarType[’']"
)
_DISPATCH = ("ATen/Dispatch.h", "torch/headeronly/core/Dispatch.h")
_CUDA_HEADER = re.compile(r"#\s*include\s*[<\"][^>\"\n]*cu")
_NO_CONVERSION = re.compile(r"csm::Code<(?P<type>.*?)(, void)?>[’'\"]")
_INNER = re.compile(r"\bcsm(?:_light)?::|\bcsm_(?=\w)")
_PARTS = ("ATen", "c10", "torch", "pybind11", "caffe2")
_OWN = re.compile(r"(.*/)?(cuda\.cu|main\.cpp)$|\w+_sources\[\d+\]$")  # by torch's names or the emulator's


def not_the_users(log: str, source: str) -> str:
    """Why the log's first error proves nothing of the `source`, or empty when it does.

    An error is the source's own when it stands in the source and neither it nor its explanation speaks of torch: such an
    error does not depend on which headers were read. A name that is declared nowhere is the source's own error when torch's
    headers cannot have declared it either. A log without an error in a known form proves nothing.
    """
    found = list(_ERROR.finditer(log))
    if not found:
        return (
            ""
            if re.search(
                r"^(ptxas|nvlink|nvcc|cc1plus|collect2|c\+\+|g\+\+)\b.*\b(error|fatal)", log, re.MULTILINE
            )
            else "the compiler's words are not understood"
        )
    first = found[0]
    if Path(first["file"]).is_relative_to(LIGHT):
        return _in_light_headers(first["text"])
    if not _OWN.match(first["file"]):
        return f"an error in {first['file'].rsplit('/', 1)[-1]}: {first['text']}"
    block = log[first.start() : found[1].start() if len(found) > 1 else len(log)]
    name = _undeclared(first["text"])
    if _CERTAIN.search(block) or _type_as_dtype(block) or _cuda_in_cpp(first["file"], name, source):
        return ""
    if name:
        called = bool(re.search(rf"\b{name}\s*(<[^;=<>]*>\s*)?\(", source))
        may = bool(_USING.search(source)) or may_be_torchs(name, called=called)
    else:
        may = bool(_TORCH_WORDS.search(block))
    return f"the light headers may lack something: {without_inner(first['text'])}" if may else ""


def _type_as_dtype(block: str) -> bool:
    """`x.type()` for a dtype, which the installed torch's own headers refuse too."""
    torch = torch_files()
    return (
        torch is not None
        and bool(_TYPE_AS_DTYPE.search(block))
        and not _dispatches_on_type(torch.includes[0])
    )


@functools.cache
def _dispatches_on_type(include: Path) -> bool:
    """Whether AT_DISPATCH of a torch takes `x.type()`. A torch without ATen/Dispatch.h is not known."""
    files = [include / name for name in _DISPATCH]
    if not files[0].is_file():
        return True
    return any(b"DeprecatedTypeProperties" in file.read_bytes() for file in files if file.is_file())


def _cuda_in_cpp(file: str, name: str | None, source: str) -> bool:
    """A name of CUDA's runtime in a C++ source that includes no header of CUDA: torch/extension.h brings none."""
    is_cuda = name is not None and re.match(r"cuda[A-Z]", name) is not None
    return is_cuda and file.endswith("main.cpp") and _CUDA_HEADER.search(source) is None


def _in_light_headers(error: str) -> str:
    found = _NO_CONVERSION.search(error)
    if found:
        return f"the light headers do not hand a {found['type']} to Python or take one"
    _, asserted, why = error.partition("static assertion failed: ")
    return (
        f"the light headers refuse it: {why}"
        if asserted
        else f"the light headers fail on it: {without_inner(error)}"
    )


def light_error(log: str) -> str:
    """Of a log whose first error stands in the light headers, that error at the source's line that leads there, where it
    is known; empty for another log. The rest of such a log speaks of how the light headers are made."""
    first = _ERROR.search(log)
    if first is None or not Path(first["file"]).is_relative_to(LIGHT):
        return ""
    used = _USED_FROM.search(log)
    place = f"{used['file'] or used['cuda']}:{used['line'] or used['row']}: " if used else ""
    return f"{place}error: {_in_light_headers(first['text'])}\n"


def without_inner(text: str) -> str:
    """The text without the places and the names by which the light headers are made."""
    return _INNER.sub("", text.replace(f"{LIGHT}/", ""))


def _undeclared(error: str) -> str | None:
    found = _UNDECLARED.search(error)
    return next(n for n in found.groups() if n) if found else None


@functools.lru_cache(maxsize=256)
def may_be_torchs(name: str, *, called: bool) -> bool:
    """Torch's headers, or what they include, may declare `name`: then its absence here proves nothing.

    Argument-dependent lookup finds at::softmax by its bare name: a name that is `called` is nobody's only when no header
    of torch holds it as a word. Another must be declared in the open. Names of macros are taken as torch's, since macros
    paste names together; so are Python's and C's, which torch's headers include.
    """
    torch = torch_files()
    if torch is None or _MACRO.match(name) or hasattr(ctypes.CDLL(None), name):
        return True
    word = name.encode()
    whole = re.compile((b"" if called else _DECLARING) + rb"\b" + word + rb"\b", re.MULTILINE)
    for file in _headers(torch.includes[0]):  # the other lies inside it
        text = file.read_bytes()
        if word in text and whole.search(text):
            return True
    return False


def _headers(include: Path) -> Iterator[Path]:
    for part in _PARTS:
        yield from (include / part).rglob("*.h")
