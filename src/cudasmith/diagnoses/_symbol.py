"""An undefined symbol of a library that was built, and why it may be undefined."""

from __future__ import annotations

import functools
import re
from typing import Literal

import attrs

from cudasmith.cuda.demangle import demangle
from cudasmith.cuda.extract import symbols
from cudasmith.cuda.symbols import Function
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import parse_file
from cudasmith.source.regions import Region

Cause = Literal[
    "torch not imported",
    "device code",
    "library",
    "old string",
    "torch",
    "static",
    "template",
    "signature",
    "linkage",
    "unknown",
]

_SYMBOL = re.compile(
    r"(?:symbol lookup error: .*|ImportError: .*|OSError: .*|: |^)undefined symbol: (?P<symbol>[\w$.]+)",
    re.MULTILINE,
)
# Names of CUDA's own libraries, and the file that has them.
LIBRARIES = (
    (r"cublasLt[A-Z]\w*", "cublasLt"),
    (r"cublas[A-Z]\w*", "cublas"),
    (r"cudnn[A-Z]\w*", "cudnn"),
    (r"cusparse[A-Z]\w*", "cusparse"),
    (r"cusolver[A-Z]\w*", "cusolver"),
    (r"curand[A-Z]\w*", "curand"),
    (r"cufft[A-Z]\w*", "cufft"),
    (r"nvrtc[A-Z]\w*", "nvrtc"),
    (r"cu(?:Init|Mem|Module|Launch|Device|Ctx|Stream|Event|Func|Tensor|Get|Link|Array|Tex)\w*", "cuda"),
)
_TORCH = re.compile(r"^(?:[\w:<>*& ]+ )?(?:c10|c10d|at|torch|caffe2)::")


@attrs.frozen
class Undefined:
    """A symbol that nobody defines. `region` and `other`: the function of that name that the file does define."""

    cause: Cause
    at: int
    symbol: str
    name: str  # demangled where it can be
    library: str = ""
    region: Region | None = None
    other: Function | None = None
    declared: Span | None = None  # where the file declares it

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"mangled: {self.symbol}",) if self.name != self.symbol else ()

    @property
    def defined(self) -> str:
        """The head of the function that the file defines, on one line."""
        assert self.region is not None and self.other is not None
        head = self.region.text[self.other.start : self.other.end].partition("{")[0]
        return " ".join(head.split())

    @property
    def span(self) -> Span | None:
        """Where the file defines it."""
        if self.region is None or self.other is None:
            return None
        return self.region.span(self.other.name_start, self.other.name_start + len(self.other.name))


def undefined(log: Log, candidate: Candidate | None, *causes: Cause) -> Undefined | None:
    """The first undefined symbol that the loader named, if its cause is one of `causes`."""
    seen = _first(log, candidate)
    return seen if seen is not None and seen.cause in causes else None


@functools.lru_cache(maxsize=1)  # for all diagnoses of one log
def _first(log: Log, candidate: Candidate | None) -> Undefined | None:
    found = log.find(_SYMBOL)
    return _classify(found[0], found[1]["symbol"], candidate) if found is not None else None


def _classify(at: int, symbol: str, candidate: Candidate | None) -> Undefined:
    name = demangle(symbol) or symbol
    if re.match(r"THP\w+|_?Z?\w*THP(Variable|Generator|Device|Stream)\w*$", symbol):
        return Undefined("torch not imported", at, symbol, name)
    if symbol.startswith(("__cudaRegisterLinkedBinary", "__fatbinwrap")):
        return Undefined("device code", at, symbol, name)
    for pattern, library in LIBRARIES:
        if re.fullmatch(pattern, symbol):
            return Undefined("library", at, symbol, name, library)
    if _TORCH.match(name):
        old = "std::string" in name and "__cxx11" not in name
        return Undefined("old string" if old else "torch", at, symbol, name)
    region, other = definition(bare(name), candidate)
    if region is None or other is None:
        return Undefined("unknown", at, symbol, name, declared=_last_declaration(candidate, bare(name)))
    head = region.text[other.start : other.name_start]
    cause: Cause = "signature"
    c_name = bool(re.search(r'extern\s*"C"', region.text[: other.name_start].rpartition(";")[2]))
    if c_name == symbol.startswith("_Z"):
        cause = "linkage"
    elif re.search(r"\bstatic\b", head):
        cause = "static"
    elif other.template and "<" in name.partition("(")[0]:
        cause = "template"
    return Undefined(cause, at, symbol, name, "", region, other, declaration_span(candidate, symbol))


def bare(name: str) -> str:
    """The last part of a demangled function's name: `scale` of `void ops::scale<float>(float*, int)`."""
    head = re.sub(r"<.*>", "", name.partition("(")[0])
    return head.split()[-1].rpartition("::")[2] if head.split() else name


def definition(name: str, candidate: Candidate | None) -> tuple[Region | None, Function | None]:
    """The function of that name that the candidate defines, with the text it stands in."""
    if candidate is None:
        return None, None
    for build in parse_file(candidate).builds:
        for region in build.regions():
            for function in symbols(region.text).functions:
                if function.name.rpartition("::")[2] == name and function.is_definition:
                    return region, function
    return None, None


def definition_span(candidate: Candidate | None, mangled: str) -> Span | None:
    """Where the candidate defines the function of a mangled name: its name."""
    region, function = definition(bare(demangle(mangled) or mangled), candidate)
    if region is None or function is None:
        return None
    return region.span(function.name_start, function.name_start + len(function.name))


def declaration_span(candidate: Candidate | None, mangled: str) -> Span | None:
    """Where the candidate declares, without a body, the function of a mangled name; None if in several places."""
    found = _declarations(candidate, bare(demangle(mangled) or mangled))
    if len(found) != 1:
        return None
    region, function = found[0]
    return region.span(function.name_start, function.name_start + len(function.name))


def _last_declaration(candidate: Candidate | None, name: str) -> Span | None:
    """Of several, the last: the one in the source that calls it, since CUDA's text stands behind C++'s."""
    found = _declarations(candidate, name)
    if not found:
        return None
    region, function = found[-1]
    return region.span(function.name_start, function.name_start + len(function.name))


def different(seen: Undefined, candidate: Candidate | None) -> tuple[tuple[str, str, str], ...]:
    """Parameters whose declared and defined types differ: name, declared type, defined type."""
    found = _declarations(candidate, bare(seen.name))
    if len(found) != 1 or seen.other is None or len(found[0][1].params) != len(seen.other.params):
        return ()
    pairs = zip(found[0][1].params, seen.other.params, strict=True)
    return tuple(
        (there.name or here.name, here.type, there.type) for here, there in pairs if here.type != there.type
    )


def _declarations(candidate: Candidate | None, name: str) -> list[tuple[Region, Function]]:
    if candidate is None:
        return []
    return [
        (region, f)
        for build in parse_file(candidate).builds
        for region in build.regions()
        for f in symbols(region.text).functions
        if f.name.rpartition("::")[2] == name and not f.is_definition
    ]
