"""A failure's text, taken apart once: what compilers, the linker, Python and the operating system said."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Literal

import attrs

from cudasmith.diagnoses._needles import needles

Tool = Literal["nvcc", "g++", "ptxas", "ld", "sh", "ninja"]

# cuda.cu(12): error: ...        cudafe++ and cicc, "catastrophic error" included
_EDG = re.compile(
    r"^(?P<file>[^\s()][^()\n]*)\((?P<line>\d+)\): (?:catastrophic )?error(?: #[\w-]+)?: (?P<text>.*)$"
)
_EDG_END = re.compile(r"^At end of source: error(?: #[\w-]+)?: (?P<text>.*)$")
# main.cpp:5:51: error: ...
_GXX = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$")
# c++: error: unrecognized command-line option ...
_DRIVER = re.compile(r"^(?:c\+\+|g\+\+|gcc|cc1plus)[\w.-]*: (?:fatal )?error: (?P<text>.*)$")
BARE = re.compile(r"^(?:fatal |catastrophic )?error(?: #[\w-]+)?: (?P<text>.*)$")  # pasted without its place
_PLAIN_QUOTES = re.compile(r"(?<!\w)['`](?P<in>[^']*)'(?!\w)")
_PTXAS = re.compile(r"^ptxas (?P<file>\S+?)?(?:, line (?P<line>\d+); )?(?:error|fatal)\s*: (?P<text>.*)$")
_NVCC = re.compile(r"^nvcc (?:fatal|error)\s*: (?P<text>.*)$")
_LD = re.compile(r"^(?:.*/)?(?:ld|ld\.\w+|collect2)(?:: error)?: (?P<text>.*)$")
_DEFINED_TWICE = re.compile(r"^\S+(?:: in function .*)?.*: multiple definition of (?P<text>.*)$")
_SH = re.compile(r"^/bin/(?:ba)?sh: (?:line )?\d+: (?P<text>.*)$")
_RAISED = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Expired))(?: ?: (?P<text>.*))?$"
)


@attrs.frozen
class Said:
    """One error as one tool said it. `at`: number of its line in the log, from 0; `line`: in `file`, from 1.

    `moved`: the tool named a header, and `file` and `line` are the user's own line that made it read the header.
    """

    tool: Tool
    text: str
    at: int
    file: str | None = None
    line: int | None = None
    moved: bool = False


@attrs.frozen
class Raised:
    """An exception that ended a Python traceback, with the lines of its message."""

    type: str  # without its module
    text: str
    at: int


@attrs.frozen
class Log:
    """Everything a failed build or run has written, and how its process ended.

    `returncode`: as subprocess gives it, negative for a signal; None when unknown.
    """

    text: str
    returncode: int | None = None

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return tuple(self.text.splitlines())

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """Errors of compilers, assembler, linker and shell, in order."""
        kinds = {line: said for at, line in self._distinct[1] if (said := _said(line, at)) is not None}
        return tuple(
            said if said.at == at else attrs.evolve(said, at=at)
            for at, line in enumerate(self.lines)
            if (said := kinds.get(line))
        )

    @cached_property
    def raised(self) -> tuple[Raised, ...]:
        """Exceptions of Python, in order."""
        return tuple(_raised(self.lines))

    def at(self, line: int) -> Said | None:
        """The error that a line of the log tells, from 0."""
        return self._by_line.get(line)

    @cached_property
    def _by_line(self) -> dict[int, Said]:
        return {said.at: said for said in self.said}

    def first(
        self, pattern: str | re.Pattern[str], tool: Tool | None = None
    ) -> tuple[Said, re.Match[str]] | None:
        """The first error, of `tool` if given, whose text matches from its beginning."""
        for said in self.said:
            if (tool is None or said.tool == tool) and (match := re.match(pattern, said.text)):
                return said, match
        return None

    def exception(self, type: str, pattern: str | re.Pattern[str]) -> tuple[Raised, re.Match[str]] | None:
        """The last exception of a type (a regular expression) whose message contains `pattern`."""
        for raised in reversed(self.raised):
            if re.fullmatch(type, raised.type) and (match := re.search(pattern, raised.text)):
                return raised, match
        return None

    def find(self, pattern: str | re.Pattern[str]) -> tuple[int, re.Match[str]] | None:
        """The first line of the log that contains `pattern`, with its number."""
        search = re.compile(pattern).search
        for at, line in self._candidates(needles(pattern)):
            if match := search(line):
                return at, match
        return None

    def has(self, text: str) -> bool:
        """Whether a line contains a text."""
        return text in self._distinct[0]

    @cached_property
    def _distinct(self) -> tuple[str, tuple[tuple[int, str], ...], tuple[int, ...]]:
        """Each different line once, at its first place (long logs repeat themselves): text, lines, their offsets."""
        first: dict[str, int] = {}
        for at, line in enumerate(self.lines):
            first.setdefault(line, at)
        starts = tuple(accumulate((len(line) + 1 for line in first), initial=0))
        return "\n".join(first), tuple((at, line) for line, at in first.items()), starts

    def _candidates(self, texts: tuple[str, ...]) -> Iterable[tuple[int, str]]:
        """Different lines, in order, that contain one of the texts; all if none is given."""
        whole, lines, starts = self._distinct
        if not texts:
            return lines
        found = set()
        for text in texts:
            place = whole.find(text)
            while place >= 0:
                number = bisect_right(starts, place) - 1
                found.add(number)
                place = whole.find(text, starts[number + 1])
        return [lines[number] for number in sorted(found)]


def _said(line: str, at: int) -> Said | None:
    if not (
        "error" in line or "fatal" in line or "multiple definition" in line or "ld" in line or "sh: " in line
    ):
        return None  # every error of a tool has one of these: several times faster than the patterns
    if m := _PTXAS.match(line):
        return Said("ptxas", m["text"].strip(), at, m["file"], int(m["line"]) if m["line"] else None)
    if m := _NVCC.match(line):
        return Said("nvcc", m["text"].strip(), at)
    for tool, pattern in (("nvcc", _EDG), ("g++", _GXX)):
        if m := pattern.match(line):
            return Said("nvcc" if tool == "nvcc" else "g++", m["text"].strip(), at, m["file"], int(m["line"]))
    if m := _DRIVER.match(line):
        return Said("g++", m["text"].strip(), at)
    if m := _EDG_END.match(line):
        return Said("nvcc", m["text"].strip(), at)
    if m := _DEFINED_TWICE.match(line):
        return Said("ld", f"multiple definition of {m['text'].strip()}", at)
    if m := _LD.match(line):
        return Said("ld", m["text"].strip(), at)
    if m := BARE.match(line):
        edg = re.match(
            r"identifier\b|namespace\b|expected an? \S+$|no (?:instance|operator|suitable)\b", m["text"]
        )
        return Said("nvcc" if edg else "g++", _PLAIN_QUOTES.sub(r'"\g<in>"', m["text"].strip()), at)
    if m := _SH.match(line):
        return Said("sh", m["text"].strip(), at)
    return None


def _raised(lines: tuple[str, ...]) -> list[Raised]:
    found = []
    for at, line in enumerate(lines):
        if m := _RAISED.match(line):
            more = []
            for later in lines[at + 1 :]:
                if not later or later.startswith(("Traceback", "The above exception", "During handling")):
                    break
                more.append(later)
            found.append(
                Raised(m["type"].rpartition(".")[2], "\n".join([m["text"] or "", *more]).rstrip(), at)
            )
    return found
