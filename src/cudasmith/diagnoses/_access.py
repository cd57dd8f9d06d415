"""The line of a kernel, or of the function that launches it, whose access is most likely the wrong one."""

from __future__ import annotations

import re

import attrs

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.symbols import Function
from cudasmith.diagnoses._launches import OnlyLaunch, parts
from cudasmith.model.finding import Span

_VECTOR = (
    r"(?:float|double|u?int|u?char|u?short|u?long|u?longlong|(?:__)?half|__nv_bfloat16)[2348]|__nv_bfloat162"
)
_CAST = re.compile(
    rf"(?:reinterpret_cast|static_cast)\s*<\s*(?:const\s+|volatile\s+)*(?:{_VECTOR})\b[^<>]*\*\s*>"
    rf"|\(\s*(?:const\s+|volatile\s+)*(?:{_VECTOR})\s*(?:const\s*)?\*[^()]*\)"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOO_FAR = re.compile(  # a bound that lets one element too many through
    r"\bif\s*\(\s*\w+\s*<=\s*[A-Za-z_]\w*\s*\)|\bif\s*\(\s*\w+\s*>\s*[A-Za-z_]\w*\s*\)\s*\{?\s*return\b"
    r"|\bfor\s*\([^;]*=\s*0\s*;\s*\w+\s*<=\s*[A-Za-z_]\w*\s*;"
)
_BOUND = re.compile(r"\bif\s*\(|\bfor\s*\(|\bwhile\s*\(|\?|\bmin\s*\(")
_FROM_THREAD = re.compile(r"\b(?P<name>\w+)\s*=[^;=]*\b(?:blockIdx|threadIdx)\b")
_FROM_HEAP = re.compile(
    r"(?<![\w.])(?P<name>\w+)\s*=\s*(?:\([\w:\s*]+\)|(?:reinterpret_cast|static_cast)\s*<[^<>;]*>\s*\()?\s*"
    r"(?:malloc\s*\(|new\s+\w+\s*\[)"
)
_ON_CPU = r"(?P<at>\b(?P<name>\w+)\s*=\s*(?:torch|at)::(?:empty|zeros|ones|full|arange|rand|randn|tensor)\s*\((?P<args>[^;]*)\)\s*;)"


@attrs.frozen
class Blame:
    """A place with what is wrong there."""

    span: Span | None
    what: str


def blamed_cast(launch: OnlyLaunch) -> Blame | None:
    """The first cast to a vector type in the kernel, in what it calls, or in the function that launches it."""
    kernel, host = launch.kernel, launch.host
    inside = [*_with_called(launch, kernel)] if kernel is not None else []
    for function in [*inside, *([host] if host is not None else [])]:
        m = _CAST.search(_code(launch, function))
        if m is not None:
            return _blame(launch, function.start + m.start(), "a pointer is cast to a vector type here")
    return None


def blamed_index(launch: OnlyLaunch) -> Blame | None:
    """A tensor of the CPU that is passed, a bound that is off by one, an index too large, no bound at all, or a heap
    that may be full."""
    return _cpu_tensor(launch) or _index(launch) or _unchecked_heap(launch)


def blamed_assert(launch: OnlyLaunch) -> Blame | None:
    """The one assert() in the kernel and in what it calls."""
    kernel = launch.kernel
    found = [
        function.start + m.start()
        for function in (_with_called(launch, kernel) if kernel is not None else [])
        for m in re.finditer(r"(?<![\w_])assert\s*\(", _code(launch, function))
    ]
    return _blame(launch, found[0], "the one assert() that it can be") if len(found) == 1 else None


def _index(launch: OnlyLaunch) -> Blame | None:
    kernel = launch.kernel
    if kernel is None:
        return None
    code = _code(launch, kernel)
    body = code.find("{")
    if m := _TOO_FAR.search(code, body):
        return _blame(
            launch,
            kernel.start + m.start(),
            "this bound lets one element too many through, if it is the number of elements",
        )
    threads = {m["name"] for m in _FROM_THREAD.finditer(code)}
    for name in sorted(threads):
        extent = _extent(launch, code, name)
        scaled = rf"(?<![\w.]){name}\s*\*\s*{extent}\s*\*\s*\w+|(?<![\w.]){extent}\s*\*\s*{name}\s*\*\s*\w+"
        if extent and (m := re.search(scaled, code[body:])):
            return _blame(
                launch,
                kernel.start + body + m.start(),
                f"{name} runs to {extent} and is multiplied by {extent} here",
            )
    pointers = "|".join(p.name for p in kernel.params if p.is_pointer and p.name)
    if not pointers:
        return None
    access = re.compile(rf"(?<!\w)(?:{pointers})\s*\[")
    if not _BOUND.search(code, body) and (m := access.search(code, body)):
        return _blame(launch, kernel.start + m.start(), "no bound is checked before this access")
    names = "|".join(sorted(threads)) or r"threadIdx\.x"
    beside = re.compile(rf"(?<!\w)(?:{pointers})\s*\[[^\[\]]*(?<!\w)(?:{names})\s*[+-]\s*1\s*\]")
    if m := beside.search(code, body):
        return _blame(launch, kernel.start + m.start(), "the element beside the thread's own is used here")
    return None


def _unchecked_heap(launch: OnlyLaunch) -> Blame | None:
    """Memory that the kernel, or what it calls, takes from the heap and uses without asking whether it got any."""
    kernel = launch.kernel
    for function in _with_called(launch, kernel) if kernel is not None else []:
        code = _code(launch, function)
        for m in _FROM_HEAP.finditer(code):
            name = m["name"]
            if not re.search(
                rf"!\s*{name}\b|(?<!\w){name}\s*[!=]=|[!=]=\s*{name}\b|(?:if\s*\(|&&|\|\|)\s*{name}\b|(?<!\w){name}\s*\?|assert\s*\(\s*{name}\b",
                code[m.end() :],
            ):
                what = f"{name} may be NULL: the heap of a GPU has 8 MB for all threads, unless "
                what += "cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) made it larger"
                return _blame(launch, function.start + m.start(), what)
    return None


def _extent(launch: OnlyLaunch, code: str, name: str) -> str:
    """The parameter that bounds an index of a thread: by a comparison, or by the grid it is launched with."""
    kernel = launch.kernel
    params = [p.name for p in kernel.params if p.name] if kernel is not None else []
    for m in re.finditer(rf"(?<![\w.]){name}\s*(?:<|>=)\s*(?P<bound>\w+)", code):
        if m["bound"] in params:
            return m["bound"]
    axis = re.search(rf"\b{name}\s*=\s*blockIdx\.(?P<axis>[xyz])\s*;", code)
    grid = _dimensions(launch)
    place = "xyz".index(axis["axis"]) if axis else 9
    return grid[place] if place < len(grid) and grid[place] in params else ""


def _dimensions(launch: OnlyLaunch) -> tuple[str, ...]:
    """The grid's extents, as texts."""
    grid = launch.config[0] if launch.config else ""
    declared = launch.declaration(grid)
    text = declared[2] if declared is not None else grid
    inner = re.fullmatch(r"dim3\s*[({](?P<inner>.*)[)}]", text, re.DOTALL)
    return parts(inner["inner"] if inner else text)


def _cpu_tensor(launch: OnlyLaunch) -> Blame | None:
    """A tensor that the launching function makes without options, so on the CPU, and passes to the kernel."""
    host = launch.host
    if host is None:
        return None
    code = _code(launch, host)
    given = code[launch.site.close_end - host.start :].partition(";")[0]
    for m in re.finditer(_ON_CPU, code):
        args = m["args"]
        placed = re.search(r"options\(\)|device|kCUDA|TensorOptions|\bopt\w*\b", args)
        passed = re.search(rf"(?<!\w){m['name']}\s*\.\s*(?:mutable_|const_)?data_ptr", given)
        moved = re.search(rf"\b{m['name']}\s*=[^;]*\.(?:to|cuda)\(", code)
        if passed and not placed and not moved and ".cuda(" not in args and ".to(" not in args:
            where = f"{m['name']} is made without options, so in the memory of the CPU"
            return _blame(launch, host.start + m.start("at"), where)
    for m in re.finditer(r"\b(?P<name>\w+)\s*=\s*[^;=]*\.cpu\(\)\s*;", code):
        if re.search(rf"(?<!\w){m['name']}\s*\.\s*data_ptr", given):
            return _blame(launch, host.start + m.start(), f"{m['name']} is a copy in the memory of the CPU")
    return None


def _with_called(launch: OnlyLaunch, kernel: Function) -> list[Function]:
    """The kernel, and the functions of the text that it calls."""
    known = symbols(launch.region.text)
    found = [kernel]
    for function in found:
        called = {c.name for c in function.calls}
        found += [f for f in known.functions if f.is_definition and f.name in called and f not in found]
    return found


def _code(launch: OnlyLaunch, function: Function) -> str:
    """A function's text with its comments blanked out."""
    text = launch.region.text[function.start : function.end]
    return _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def _blame(launch: OnlyLaunch, offset: int, what: str) -> Blame:
    """The whole line of an offset."""
    text = launch.region.text
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    first = start + len(line) - len(line.lstrip())
    return Blame(launch.region.span(first, start + len(line.rstrip())), what)
