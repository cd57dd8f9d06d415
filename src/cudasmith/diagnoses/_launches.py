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
        """Where the launching function gives a variable its one value, from the name to the `;`, and that value."""
        host = self.host
        if host is None or not re.fullmatch(r"[A-Za-z_]\w*", name):
            return None
        text = self.region.text[host.start : self.site.start]
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


def _made(model: FileModel, launches: list[OnlyLaunch], names: set[str]) -> Iterator[OnlyLaunch]:
    """Launches in the functions bound under those names, and in what they call."""
    for build in model.builds:
        for region in build.regions():
            known = symbols(region.text)
            wanted = {e.target for b in known.bindings for e in b.exports if e.name in names and e.target}
            wanted |= names
            todo = [f for f in known.functions if f.is_definition and f.is_host and f.name in wanted]
            seen: list[Function] = []
            while todo:
                seen.append(todo.pop())
                called = {c.name for c in seen[-1].calls}
                todo += [
                    f
                    for f in known.functions
                    if f.is_definition and f.name in called and f not in seen and f.is_host
                ]
            for launch in launches:
                inside = any(f.start <= launch.site.start < f.end for f in seen)
                if launch.region.text == region.text and inside:
                    yield launch


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
    """A number for a name that the launching function, or a #define or constexpr of the text, makes a number."""
    declared = launch.declaration(text)
    if declared is not None and re.fullmatch(r"\d+", declared[2]):
        return declared[2]
    if not re.fullmatch(r"[A-Za-z_]\w*", text):
        return text
    top = rf"^\s*(?:#\s*define\s+{text}\s+|(?:static\s+|const\w*\s+)+\w+\s+{text}\s*=\s*)(?P<value>\d+)\s*;?\s*$"
    found = re.findall(top, launch.region.text, re.MULTILINE)
    return str(found[0]) if len(found) == 1 else text


def refused_shape(found: Hit, launch: OnlyLaunch) -> Hit:
    """The hit of a launch that CUDA refused for its grid or block, at the one of the two that must be it."""
    name, grid, block = launch.site.name, shape(launch, 0), shape(launch, 1)
    threads = math.prod(block.numbers) if block is not None and block.numbers else None
    written = f"{name}<<<{', '.join(launch.config[:2])}>>>"
    if block is not None and threads is not None and threads > MAX_THREADS:
        return attrs.evolve(
            found,
            message=f"{name} is launched with {threads} threads per block; {MAX_THREADS} are the most",
            help=f"launch {name} with at most {MAX_THREADS} threads, 256 say, and a loop or more blocks",
            span=block.span,
        )
    if threads is None and block is not None and block.extents[0]:
        return attrs.evolve(
            found,
            message=f"{written} is a grid or block that no GPU allows",
            help=f"{' x '.join(block.extents)} may be above {MAX_THREADS} threads: take a fixed block and a loop; "
            "return early when numel() == 0",
            span=block.span,
            confidence="medium",
        )
    if grid is None:
        return found
    behind = [e for e in grid.extents[1:] if e != "1"]
    if behind:
        return attrs.evolve(
            found,
            message=f"{written} is a grid that no GPU allows: {', '.join(behind)} blocks in y or z, or none at all",
            help=f"at most {MAX_YZ} blocks may stand in y and in z: put the large dimension into grid.x; return early "
            "when numel() == 0",
            span=grid.span,
            confidence="medium",
        )
    return attrs.evolve(
        found,
        message=f"{written} is a grid that no GPU allows: {grid.extents[0]} was 0 or negative",
        help="return early when numel() == 0, and round the number of blocks up, not down",
        span=grid.span,
        confidence="medium",
    )
