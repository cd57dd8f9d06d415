"""A failure's text, taken apart once: what compilers, the linker, Python and the operating system said."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal

import attrs

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
    """One error as one tool said it. `at`: number of its line in the log, from 0; `line`: in `file`, from 1."""

    tool: Tool
    text: str
    at: int
    file: str | None = None
    line: int | None = None


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
        found = (_said(line, at) for at, line in enumerate(self.lines))
        return tuple(s for s in found if s is not None)

    @cached_property
    def raised(self) -> tuple[Raised, ...]:
        """Exceptions of Python, in order."""
        return tuple(_raised(self.lines))

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
        for at, line in enumerate(self.lines):
            if match := re.search(pattern, line):
                return at, match
        return None


def _said(line: str, at: int) -> Said | None:
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
