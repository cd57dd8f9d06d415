"""The launches that a failing call can have made, with their configuration as the text gives it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

import attrs

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.launches import LaunchSite, find_launches
from cudasmith.cuda.symbols import Function
from cudasmith.diagnoses._diagnosis import Hit
from cudasmith.diagnoses._frames import user_lines
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._sizes import number
from cudasmith.model import Candidate
from cudasmith.model.finding import Span
from cudasmith.source.filemodel import FileModel, parse_file
from cudasmith.source.regions import Region


@attrs.frozen(eq=False)
class OnlyLaunch:
    """A launch with the text it stands in. `config`: what stands between <<< and >>>, part by part."""

    region: Region
    site: LaunchSite

    @property
    def span(self) -> Span | None:
        return self.region.span(self.site.start, self.site.close_end)

    @property
    def config(self) -> tuple[str, ...]:
        return parts(self.region.text[self.site.open_end : self.site.close_start])

    @property
    def kernel(self) -> Function | None:
        """The definition of what is launched; None where there is none or more than one."""
        found = [f for f in symbols(self.region.text).kernels if f.name.rpartition("::")[2] == self.site.name]
        return found[0] if len(found) == 1 else None

    @property
    def host(self) -> Function | None:
        """The function that launches."""
        for f in symbols(self.region.text).functions:
            if f.start <= self.site.start < f.end:
                return f
        return None

    def declaration(self, name: str) -> tuple[int, int, str] | None:
        """As `declaration`, in the launching function."""
        return declaration(self.region, self.host, name, self.site.start)


def declaration(
    region: Region, host: Function | None, name: str, before: int | None = None
) -> tuple[int, int, str] | None:
    """Where a function gives a variable its one value, from the name to the `;`, and that value.

    `before`: the offset in the region in front of which that must be.
    """
    if host is None or not re.fullmatch(r"[A-Za-z_]\w*", name):
        return None
    text = region.text[host.start : host.end if before is None else before]
    if _changed(text, name):
        return None
    found = list(
        re.finditer(
            rf"(?<![\w.>]){name}(?P<at>)\s*(?:=(?!=)(?P<value>[^;]*)|[({{](?P<inner>[^;]*)[)}}])\s*[;,]",
            text,
        )
    )
    if len(found) != 1:
        return None
    m = found[0]
    value = m["value"] if m["value"] is not None else m["inner"]
    return host.start + m.start(), host.start + m.end(), value.strip()


def _changed(body: str, name: str) -> bool:
    """Whether a function changes a variable in place: `n *= 2`, `n++`."""
    return bool(
        re.search(rf"\b{name}\s*(?:[-+*/%&|^]|<<|>>)=|(?:\+\+|--)\s*{name}\b|\b{name}\s*(?:\+\+|--)", body)
    )


def only_launch(candidate: Candidate | None) -> OnlyLaunch | None:
    """The file's launch; None when there are more, or none."""
    found = list(_all(candidate)) if candidate is not None else []
    return found[0] if len(found) == 1 else None


def reached_launch(log: Log, at: int, candidate: Candidate | None, late: bool = False) -> OnlyLaunch | None:
    """The one launch that the call in the traceback at line `at` can have made; None where there are more.

    `late`: the error may be of any launch before that call. Then several launches of one kernel count as the first of them.
    """
    if candidate is None:
        return None
    launches = list(_all(candidate))
    model = parse_file(candidate)
    lines = user_lines(log, at, candidate)
    calls = [c for c in model.handles.calls if late or _within(c.call.lineno, c.call.end_lineno, lines)]
    names = {c.function for c in calls}
    if names and (made := list(_made(model, launches, names))):
        launches = made
    alike = len({x.site.name for x in launches}) if late else len(launches)
    return launches[0] if alike == 1 else None


def _within(first: int, last: int | None, lines: Iterable[int]) -> bool:
    return any(first <= line <= (last or first) for line in lines)


def reached_hosts(log: Log, at: int, candidate: Candidate | None) -> list[tuple[Region, Function]]:
    """The host functions that the call in the traceback at line `at` runs; all of the file, where none is known."""
    if candidate is None:
        return []
    model = parse_file(candidate)
    lines = user_lines(log, at, candidate)
    names = {c.function for c in model.handles.calls if _within(c.call.lineno, c.call.end_lineno, lines)}
    regions = [region for build in model.builds for region in build.regions()]
    found = [(region, f) for region in regions for f in _run(region, names)]
    every = [(r, f) for r in regions for f in symbols(r.text).functions if f.is_definition and f.is_host]
    return found or every


def _made(model: FileModel, launches: list[OnlyLaunch], names: set[str]) -> Iterator[OnlyLaunch]:
    """Launches in the functions bound under those names, and in what they call."""
    for build in model.builds:
        for region in build.regions():
            run = _run(region, names)
            for launch in launches:
                inside = any(f.start <= launch.site.start < f.end for f in run)
                if launch.region.text == region.text and inside:
                    yield launch


def _run(region: Region, names: set[str]) -> list[Function]:
    """The host functions of a source that are bound under those names, and those that they call."""
    known = symbols(region.text)
    wanted = {e.target for b in known.bindings for e in b.exports if e.name in names and e.target} | names
    hosts = [f for f in known.functions if f.is_definition and f.is_host]
    found = [f for f in hosts if f.name in wanted]
    for function in found:
        called = {c.name for c in function.calls}
        found += [f for f in hosts if f.name in called and f not in found]
    return found


def _all(candidate: Candidate) -> Iterator[OnlyLaunch]:
    for build in parse_file(candidate).builds:
        for region in build.regions():
            for site in find_launches(region.text):
                yield OnlyLaunch(region, site)


def parts(text: str) -> tuple[str, ...]:
    """`a, f(b, c)` as its two parts."""
    found, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            found.append(text[start:i].strip())
            start = i + 1
    return (*found, text[start:].strip())


MAX_THREADS = 1024  # of a block
MAX_YZ = 65535  # blocks of a grid in y, and in z


@attrs.frozen
class Shape:
    """A grid or block of a launch: its extents as texts, and where they are written."""

    extents: tuple[str, ...]
    span: Span | None

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The extents, where all are plain numbers."""
        found = [int(e) for e in self.extents if re.fullmatch(r"\d+", e)]
        return tuple(found) if len(found) == len(self.extents) else None


def shape(launch: OnlyLaunch, which: int) -> Shape | None:
    """The grid (0) or block (1) of a launch, with names of constants put in."""
    if which >= len(launch.config):
        return None
    text, span = launch.config[which], launch.span
    declared = launch.declaration(text)
    if declared is not None:
        start, end, text = declared
        span = launch.region.span(start, end)
    inner = re.fullmatch(r"dim3\s*[({](?P<inner>.*)[)}]", text, re.DOTALL)
    return Shape(tuple(_constant(launch, e) for e in parts(inner["inner"] if inner else text)), span)


def _constant(launch: OnlyLaunch, text: str) -> str:
    """The number that an expression certainly is; else the expression."""
    number = known_number(launch, text)
    return text if number is None else str(number)


def known_number(launch: OnlyLaunch, text: str) -> int | None:
    """The value of an expression between <<< and >>>; None where the text does not tell it."""
    return known_bytes(launch.region, launch.host, text, launch.site.start)


def known_bytes(region: Region, host: Function | None, text: str, before: int | None = None) -> int | None:
    """The value of an expression of whole numbers, sizes of types and names that have one value; None where unknown.

    `host`: the function it stands in; `before`: the offset in front of which its names get their values.
    """
    body = region.text[host.start : host.end] if host is not None else ""

    def put_in(name: str) -> str | None:
        if _changed(body, name):
            return None
        declared = declaration(region, host, name, before)
        if declared is not None:
            return declared[2]
        of_host = host is not None and any(p.name == name for p in host.params)
        if of_host or re.search(rf"\b{name}\s*=(?!=)", body):
            return None
        top = rf"^\s*(?:#\s*define\s+{name}\s+|(?:static\s+|const\w*\s+)+\w+\s+{name}\s*=\s*)(?P<value>[^;\n/]+?)\s*;?\s*$"
        found = re.findall(top, region.text, re.MULTILINE)
        return str(found[0]) if len(found) == 1 else None

    return number(text, put_in)


@attrs.frozen
class Suspect:
    """What may have made a CUDA call fail. `proven`: by the numbers of the text; else it is a guess and says so."""

    message: str
    help: str
    span: Span | None
    proven: bool = False
    call: str = ""  # the function of CUDA's runtime that it is about; empty for a launch


def shape_suspect(launch: OnlyLaunch) -> Suspect | None:
    """The grid or block of a launch that CUDA refuses, or the one of the two that most likely is refused."""
    name, grid, block = launch.site.name, shape(launch, 0), shape(launch, 1)
    threads = math.prod(block.numbers) if block is not None and block.numbers else None
    if block is not None and threads is not None and threads > MAX_THREADS:
        return Suspect(
            f"{name} is launched with {threads} threads per block; {MAX_THREADS} are the most",
            f"launch {name} with at most {MAX_THREADS} threads, 256 say, and a loop or more blocks",
            block.span,
            proven=True,
        )
    if grid is not None and (impossible := _impossible(grid)):
        return Suspect(
            f"{name} is launched with {impossible}",
            f"at least 1 block, at most {MAX_YZ} in y and in z: put the large dimension into grid.x",
            grid.span,
            proven=True,
        )
    if threads is None and block is not None and block.extents[0]:
        return Suspect(
            f"{' x '.join(block.extents)} threads per block may be 0 or more than {MAX_THREADS}",
            "take a fixed block, of 256 threads say, and a loop; return early when numel() == 0",
            block.span,
        )
    if grid is None:
        return None
    if (rounded := next((e for e in grid.extents if rounds_down(e)), None)) is not None:
        return Suspect(
            f"{rounded} blocks may be none, since the division rounds down",
            "round the number of blocks up, (n + block - 1) / block, and return early when numel() == 0",
            grid.span,
        )
    if behind := [e for e in grid.extents[1:] if not e.isdigit()]:
        return Suspect(
            f"{' and '.join(behind)} blocks in y or z may be 0 or more than {MAX_YZ}",
            f"at most {MAX_YZ} blocks may stand in y and in z: put the large dimension into grid.x; return early "
            "when numel() == 0",
            grid.span,
        )
    return Suspect(
        f"{grid.extents[0]} blocks may be 0 or negative",
        "return early when numel() == 0, and round the number of blocks up, not down",
        grid.span,
    )


def _impossible(grid: Shape) -> str:
    """What no GPU allows of a grid's extents that are numbers; empty where nothing is proven."""
    for axis, extent in zip("xyz", grid.extents, strict=False):
        if re.fullmatch(r"-?\d+", extent) and (int(extent) <= 0 or (axis != "x" and int(extent) > MAX_YZ)):
            most = "; at least 1 is needed" if int(extent) <= 0 else f"; {MAX_YZ} are the most"
            return f"{extent} blocks in {axis}{most}"
    return ""


def rounds_down(extent: str) -> bool:
    """`n / 256`, `x.size(0) >> 8`: a quotient without anything added before or behind."""
    return re.fullmatch(r"[\w.]+(?:\(\w*\))?\s*(?:/|>>)\s*\w+", extent) is not None


def refused_shape(found: Hit, launch: OnlyLaunch) -> Hit:
    """The hit of a launch that CUDA refused for its grid or block, at the one of the two that must be it."""
    suspect = shape_suspect(launch)
    if suspect is None:
        return found
    written = f"{launch.site.name}<<<{', '.join(launch.config[:2])}>>>"
    message = f"{found.message}: {written}, where {suspect.message}"
    return attrs.evolve(
        found,
        message=suspect.message if suspect.proven else message,
        help=suspect.help,
        span=suspect.span,
        confidence="high" if suspect.proven else "medium",
    )
