"""What checked mode found, as values: class, place in the CUDA text, block and thread, and the other party."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from typing import Any

import attrs

from cudasmith.emulator.build import Warned
from cudasmith.emulator.errors import HELP, Coordinates, EmulatorFault
from cudasmith.emulator.runtime import runtime
from cudasmith.model.finding import Confidence, Finding, Severity

CLASSES = {
    "EM101": "out of bounds",
    "EM102": "out of bounds",
    "EM103": "division by zero",
    "EM104": "stack overflow",
    "EM105": "array index",
    "EM106": "misaligned access",
    "EM107": "null pointer",
    "EM108": "use after free",
    "EM113": "host memory",
    "EM114": "host memory",
    "EM115": "endless kernel",
    "EM201": "barrier divergence",
    "EM202": "warp mask",
    "EM203": "race on shared memory",
    "EM204": "race on global memory",
    "EM206": "block collective",
    "EM207": "grid barrier",
    "EM208": "deadlock",
    "EM301": "launch configuration",
    "EM302": "launch configuration",
    "EM401": "uninitialised shared memory",
    "EM402": "uninitialised global memory",
    "EM403": "output never written",
    "EM404": "uninitialised local variable",
    "EM501": "integer overflow",
    "EM901": "not emulated",
}
UNSET = "EM404"
_USERS = re.compile(r"(?P<source>\w+_sources\[\d+\]):(?P<line>\d+)")
Address = tuple[str, int]  # file of a library, offset in it


@attrs.frozen
class Place:
    """Where a thread was. `source` is the string of load_inline's arguments; empty and line 0 when unknown."""

    source: str
    line: int
    block: Coordinates | None = None
    thread: Coordinates | None = None

    def __str__(self) -> str:
        where = f"{self.source}:{self.line}" if self.source else f"line {self.line}" if self.line else ""
        who = f"block {self.block}, thread {self.thread}" if self.block is not None else ""
        return ", ".join(part for part in (where, who) if part)


@attrs.frozen
class Detected:
    """One thing that is wrong in a kernel or a launch: the first time that it happened at this place."""

    code: str
    message: str
    kernel: str
    launch_line: int
    at: Place
    other: Place | None = None  # the other party of a race
    certain: bool = True  # of a warning of the compiler

    @property
    def name(self) -> str:
        """The class in words."""
        return CLASSES.get(self.code, self.code)

    def finding(self) -> Finding:
        """As a finding, whose notes name kernel, places and threads."""
        notes = []
        if self.kernel:
            launched = f", launched in line {self.launch_line} of the CUDA text" if self.launch_line else ""
            notes.append(f"kernel {self.kernel}{launched}")
        if self.at.block is not None:
            notes.append(f"block {self.at.block}, thread {self.at.thread}")
        if self.at.line:
            notes.append(f"at {Place(self.at.source, self.at.line)}")
        if self.other is not None:
            notes.append(f"the other access: {self.other}")
        severity: Severity = "warning" if self.code == UNSET else "error"
        confidence: Confidence = "high" if self.certain else "medium"
        help = HELP.get(self.code)
        return Finding(self.code, severity, self.message, confidence, notes=tuple(notes), help=help)


@attrs.frozen
class Coverage:
    """What checked mode can vouch for. `unchecked` says what ran without all checks; empty: nothing did."""

    launches: int
    unchecked: tuple[str, ...]


def detected() -> list[Detected]:
    """What was found since the last reset, in order: one for each class and line. At most 100."""
    raw = runtime().found()
    lines = _lines({address for event in raw for address in _addresses(event)})
    found: dict[tuple[str, str, int, str], Detected] = {}
    for event in raw:
        one = _detected(event, lines)
        found.setdefault((one.code, one.at.source, one.at.line, one.kernel), one)
    return list(found.values())


_warnings: list[Detected] = []


def note_warned(warned: Iterable[Warned]) -> None:
    """Keeps what the compiler said of a module that is loaded."""
    for one in warned:
        message = f"the compiler: {one.message}"
        _warnings.append(Detected(UNSET, message, "", 0, Place(one.source, one.line), certain=one.certain))


def warned() -> list[Detected]:
    """Locals of the modules loaded in checked mode so far that the compiler sees read before they are written.

    They are warnings, and none of `detected()`: the compiler may miss that a path is never taken.
    """
    return list(_warnings)


def coverage() -> Coverage:
    """How much of what ran since the last reset was checked."""
    native = runtime()
    return Coverage(len(native.launches()), tuple(native.not_checked()))


def check_outputs(tensors: Iterable[Any]) -> None:
    """Adds a finding for each tensor with elements that were made by an `empty` and never written."""
    for tensor in tensors:
        strided = tuple(tensor.shape), tuple(tensor.stride())
        runtime().check_output(tensor.data_ptr(), *strided, tensor.element_size())


def make_fault(
    code: str,
    message: str,
    kernel: str,
    line: int,
    block: Coordinates | None,
    thread: Coordinates | None,
    event: int,
) -> EmulatorFault:
    """The exception for a fault that the runtime reports; `event` is its number among what was found, or -1."""
    raw = runtime().found()
    if 0 <= event < len(raw):
        one = _detected(raw[event], _lines(set(_addresses(raw[event]))))
        return EmulatorFault(one.finding(), one)
    one = Detected(code, message, kernel, line, Place("", 0, block, thread))
    return EmulatorFault(one.finding(), None, one)


def _addresses(event: Any) -> list[Address]:
    other = event[9]
    return [*event[6], *(other[2] if other is not None else ())]


def _detected(event: Any, lines: dict[Address, tuple[str, int]]) -> Detected:
    code, message, kernel, launch_line, block, thread, trace, file, line, other = event
    source, number = (file, line) if file else _first(trace, lines)
    if line and not file:  # a barrier or warp operation tells its line, the trace its text
        number = line
    party = None
    if other is not None:
        party = Place(*_first(other[2], lines), other[0], other[1])
    return Detected(code, message, kernel, launch_line, Place(source, number, block, thread), party)


def _first(trace: list[Address], lines: dict[Address, tuple[str, int]]) -> tuple[str, int]:
    """The innermost place in the user's text."""
    return next((lines[address] for address in trace if address in lines), ("", 0))


def _lines(addresses: set[Address]) -> dict[Address, tuple[str, int]]:
    """The line of the user's text for each address that has one, by addr2line, which comes with every g++."""
    tool = shutil.which("addr2line") or shutil.which("llvm-addr2line")
    found: dict[Address, tuple[str, int]] = {}
    for library in {file for file, _ in addresses if file.endswith("candidate.so")}:
        offsets = sorted(offset for file, offset in addresses if file == library)
        if tool is None:
            break
        command = [tool, "-a", "-i", "-e", library, *map(hex, offsets)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        for offset, block in zip(
            offsets, re.split(r"^0x[0-9a-f]+\n", done.stdout, flags=re.MULTILINE)[1:], strict=False
        ):
            place = _USERS.search(block)  # inlined calls come innermost first
            if place is not None:
                found[library, offset] = (place["source"], int(place["line"]))
    return found
