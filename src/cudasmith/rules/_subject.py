"""Subject: what a rule looks at. The Python side, and the symbols of every translation unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import attrs

from cudasmith.cuda.extract import symbols
from cudasmith.cuda.symbols import EMPTY, Function, Param, Symbols
from cudasmith.model import Capture
from cudasmith.model.finding import Fix, Span
from cudasmith.rules._launches import UnitLaunches, followed
from cudasmith.source.filemodel import FileModel
from cudasmith.source.literals import Token
from cudasmith.source.regions import BuildCall, Region

Mode = Literal["strict", "default", "lenient"]
MODES: tuple[Mode, ...] = ("strict", "default", "lenient")


@attrs.frozen(eq=False)
class Part:
    """One translation unit of a build: its text's places and its symbols."""

    region: Region
    symbols: Symbols
    build: BuildCall

    def span(self, start: int, end: int) -> Span:
        """The place in the Python file; the build call where no exact place is known."""
        return self.region.span(start, end) or self.build.span

    def name_span(self, function: Function) -> Span:
        return self.span(function.name_start, function.name_start + len(function.name))


@attrs.frozen(eq=False)
class Exported:
    """One function that Python can call: by `m.def` in `part`, or by `functions=` (part None)."""

    name: str
    target: str | None
    part: Part | None
    start: int
    span: Span
    mentions: frozenset[str] = frozenset()
    params: tuple[Param, ...] | None = None  # of a lambda
    defaults: int = 0
    names: tuple[str, ...] = ()


@attrs.frozen(eq=False)
class Unit:
    """One `load_inline` call with both translation units parsed."""

    build: BuildCall
    cpp: Part | None
    cuda: Part | None
    exported: tuple[Exported, ...]
    followed: UnitLaunches

    def part(self, place: int) -> Part:
        """The translation unit of a launch: 0 C++, 1 CUDA."""
        found = self.cuda if place else self.cpp
        assert found is not None
        return found

    def kernel(self, name: str) -> tuple[Part, Function] | None:
        """The kernel of that name and where it stands."""
        return next(((p, k) for p in self.parts for k in p.symbols.kernels if k.name == name), None)

    @property
    def parts(self) -> tuple[Part, ...]:
        return tuple(p for p in (self.cpp, self.cuda) if p is not None)

    @property
    def opaque(self) -> str | None:
        """A source that is given but cannot be read statically; None when all can."""
        unread = self.build.unresolved & {"cpp_sources", "cuda_sources", "**"}
        return min(unread) if unread else None

    def definition(self, name: str) -> tuple[Part, Function] | None:
        """The host function of that name and where it stands, CUDA source first."""
        for part in reversed(self.parts):
            found = part.symbols.defined(name)
            if found is not None:
                return part, found
        return None

    def hosts(self) -> Iterator[tuple[Exported, Part, Function]]:
        """Each exported function with its definition, as far as it is found."""
        for exported in self.exported:
            found = self.definition(exported.target) if exported.target else None
            if found is not None:
                yield exported, *found

    def macro(self, name: str) -> str:
        """Text of a #define, in either source."""
        return next((p.symbols.macros[name] for p in self.parts if name in p.symbols.macros), "")


@attrs.frozen(eq=False)
class Subject:
    """A candidate as the rules see it. `token_budget`: how long it may be, when the user says so.

    `capture`: of the problem that the candidate is for, where one is given.
    """

    file: FileModel
    mode: Mode
    units: tuple[Unit, ...]
    token_budget: int | None = None
    capture: Capture | None = None

    def parts(self) -> Iterator[tuple[Unit, Part]]:
        for unit in self.units:
            for part in unit.parts:
                yield unit, part

    def rewrite(self, part: Part, start: int, end: int, text: str) -> Fix | None:
        """A safe fix that puts `text` in the place of part[start:end], written as its string literal asks.

        None where the literal cannot hold it, or is (also) something else than a piece of this source.
        """
        bounds = part.region.exact(start, end)
        literal = self.file.literal_at(bounds[0]) if bounds else None
        if bounds is None or literal is None or bounds == (literal.start, literal.end):
            return None
        if not self._only_in(part, bounds[0]):
            return None
        written = _as_written(text, literal, self.file.source.text)
        return None if written is None else Fix(self.file.source.span(*bounds), written, safe=True)

    def _only_in(self, part: Part, place: int) -> bool:
        kinds = {
            r.kind for b in self.file.builds for r in b.regions() if r.mapped.place_of(place) is not None
        }
        return kinds == {part.region.kind}


def _as_written(text: str, literal: Token, source: str) -> str | None:
    quote = source[literal.end : literal.end + 3]
    triple = quote in ('"""', "'''")
    if (quote if triple else quote[:1]) in text or "\\" in text or ("f" in literal.prefix and "{" in text):
        return None
    if triple or "\n" not in text:
        return text
    return None if "r" in literal.prefix else text.replace("\n", "\\n")


def subject(
    file: FileModel, mode: Mode, token_budget: int | None = None, capture: Capture | None = None
) -> Subject:
    """Parses each text once, however many builds are given it. With a problem's capture launches are followed at its sizes."""
    texts = {region.text for build in file.builds for region in build.regions()}
    parsed = {text: symbols(text) for text in sorted(texts)}
    units = tuple(_unit(file, build, parsed, capture) for build in file.builds)
    return Subject(file, mode, units, token_budget, capture)


def _unit(file: FileModel, build: BuildCall, parsed: Mapping[str, Symbols], capture: Capture | None) -> Unit:
    cpp = Part(build.cpp, parsed[build.cpp.text], build) if build.cpp else None
    cuda = Part(build.cuda, parsed[build.cuda.text], build) if build.cuda else None
    exported: list[Exported] = []
    for part in (cpp, cuda):
        for binding in (part.symbols if part else EMPTY).bindings:
            for e in binding.exports:
                assert part is not None
                span = part.span(e.start, e.end)
                exported.append(
                    Exported(e.name, e.target, part, e.start, span, e.mentions, e.params, e.defaults, e.names)
                )
    listed = build.keyword_span("functions", file.source)
    exported += [Exported(f, f, None, 0, listed) for f in build.functions or ()]
    sources = (cpp.symbols if cpp else EMPTY, cuda.symbols if cuda else EMPTY)
    targets = {e.name: e.target for e in exported if e.target is not None}
    return Unit(build, cpp, cuda, tuple(exported), followed(file, sources, targets, capture))
