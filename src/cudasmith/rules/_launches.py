"""Every launch of a file with what is known of it: whatever the sizes, and at the sizes of the problem."""

from __future__ import annotations

import attrs

from cudasmith.cuda import host
from cudasmith.cuda.host import HostRun, LaunchFact, Lost, Value
from cudasmith.cuda.numbers import const
from cudasmith.cuda.symbols import EMPTY, Function, Symbols
from cudasmith.model import Capture
from cudasmith.source.filemodel import FileModel
from cudasmith.source.shapes import Known, Sized, calls_at


@attrs.frozen(eq=False)
class LaunchSeen:
    """One launch of the text. `free`: at any size. `known`: each time that the problem reaches it."""

    place: int  # which translation unit of the build: 0 C++, 1 CUDA
    start: int
    end: int
    free: tuple[LaunchFact, ...]
    known: tuple[LaunchFact, ...]

    @property
    def kernel(self) -> str:
        return (self.free or self.known)[0].kernel


@attrs.frozen(eq=False)
class UnitLaunches:
    """What the host functions of one build launch. `called`: the problem's calls of exported functions.

    `lost`: values that do not fit into their type, with the translation unit.
    """

    launches: tuple[LaunchSeen, ...]
    lost: tuple[tuple[int, Lost], ...]
    called: tuple[tuple[str, tuple[Known, ...]], ...] = ()


def followed(
    file: FileModel,
    sources: tuple[Symbols, Symbols],
    exports: dict[str, str],
    capture: Capture | None,
) -> UnitLaunches:
    """`exports`: name for Python -> host function. Calls are followed at the capture's sizes, if there is one."""
    entries = {t: f for t in exports.values() if (f := _defined(sources, t)) is not None}
    free = [host.run(sources, f) for f in entries.values()]
    reached = {(x.function, x.start) for r in free for x in r.launches}
    for source in sources:
        for function in source.functions:
            if function.launches and function.is_host and not _covers(function, reached):
                free.append(host.run(sources, function))
    known, called = _at_problem(file, sources, exports, entries, capture) if capture is not None else ([], [])
    return UnitLaunches(_seen(sources, free, known), _lost(sources, free, known), tuple(called))


def _covers(function: Function, reached: set[tuple[str, int]]) -> bool:
    return all((function.name, x.start) in reached for x in function.launches)


def _defined(sources: tuple[Symbols, Symbols], name: str) -> Function | None:
    return next((f for s in reversed(sources) if (f := s.defined(name)) is not None), None)


def _at_problem(
    file: FileModel,
    sources: tuple[Symbols, Symbols],
    exports: dict[str, str],
    entries: dict[str, Function],
    capture: Capture,
) -> tuple[list[HostRun], list[tuple[str, tuple[Known, ...]]]]:
    runs: list[HostRun] = []
    called: list[tuple[str, tuple[Known, ...]]] = []

    def answer(name: str, arguments: tuple[Known, ...]) -> Known:
        function = entries.get(exports.get(name, ""))
        if function is None:
            return None
        values = {
            p.name: v
            for p, a in zip(function.params, arguments, strict=False)
            if (v := _value(p.name, a)) is not None
        }
        run = host.run(sources, function, values)
        runs.append(run)
        called.append((name, arguments))
        return _known(run.returned)

    calls_at(file, capture, answer)
    return runs, called


def _value(name: str, known: Known) -> Value:
    if isinstance(known, Sized):
        return host.Tensor(name, known.shape)
    if isinstance(known, (bool, int)):
        return const(int(known))
    if isinstance(known, tuple):
        return tuple(_value(name, k) for k in known)
    return None


def _known(value: Value) -> Known:
    if isinstance(value, host.Tensor):
        return Sized(value.shape) if value.shape is not None else None
    return tuple(_known(v) for v in value) if isinstance(value, tuple) else None


def _place(sources: tuple[Symbols, Symbols], function: str, start: int) -> int:
    for place in (1, 0):
        if any(f.start <= start < f.end and f.is_definition for f in sources[place].named(function)):
            return place
    return 1 if sources[1] is not EMPTY else 0


def _seen(
    sources: tuple[Symbols, Symbols], free: list[HostRun], known: list[HostRun]
) -> tuple[LaunchSeen, ...]:
    found: dict[tuple[int, int, int], tuple[list[LaunchFact], list[LaunchFact]]] = {}
    for which, runs in enumerate((free, known)):
        for run in runs:
            for fact in run.launches:
                place = _place(sources, fact.function, fact.start)
                found.setdefault((place, fact.start, fact.end), ([], []))[which].append(fact)
    return tuple(LaunchSeen(*key, tuple(f), tuple(k)) for key, (f, k) in sorted(found.items()))


def _lost(
    sources: tuple[Symbols, Symbols], free: list[HostRun], known: list[HostRun]
) -> tuple[tuple[int, Lost], ...]:
    every = (x for run in (*free, *known) for x in run.lost)
    places = ((_place(sources, x.function, x.start), x) for x in every)
    return tuple({(place, x.start, x.end): (place, x) for place, x in places}.values())
