"""What diagnoses of compile errors share: which of a compiler's errors is worth explaining, and words in quotes."""

from __future__ import annotations

import ast
import functools
import re
from itertools import zip_longest

import attrs

from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file
from cudasmith.source.regions import Region
from cudasmith.source.text import SourceText

Q = "[\"'\u2018\u2019]"  # quotes of nvcc, and of g++ in the C and in other locales
_OWN = re.compile(r".*\.(?:cu|cuh|cpp|cc|cxx|c)")
_INSTALLED = (
    "include",
    "site-packages",
    "dist-packages",
    "targets",
    "usr",
)  # folders of headers that are not the user's

_UNKNOWN = rf"identifier \".*\" is undefined|(?:name followed by|explicit type)|{Q}.*{Q} (?:was not|has not|is not|in name|does not)"
_MOST_FOREIGN = 100  # errors in headers that are looked at
_WAY = 60  # lines of a compiler about the way to an instantiation
_ENDS_BLOCK = re.compile(r"(?:error|warning)(?: #[\w-]+)?: |^\d+ errors? detected|^ninja: |^FAILED: ")
_REQUIRED = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)?\s+required from here")
_EXPANDED = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? note: in expansion of macro")
_AT_LINE = re.compile(r"^\s+.*\bat line (?P<line>\d+) of (?P<file>\S+?)\"?$")
_GXX_COLUMN = re.compile(r"^[^\s:][^:\n]*:\d+:(?P<column>\d+): ")
_SHOWN = re.compile(r"^\s*\d+ \| (?P<source>.*)$")

# After one of these a compiler has lost its way, and its next errors need not be true.
_DERAILS = re.compile(
    rf"""expected\b|unrecognized\ token|missing\ closing\ quote|missing\ terminating|stray\ |extended\ character
    |identifier\ ".*"\ is\ undefined$|namespace\ ".*"\ has\ no\ member
    |this\ declaration\ has\ no\ storage|name\ (?:must\ be|followed\ by)|explicit\ type\ is\ missing
    |{Q}.*{Q}\ (?:does\ not\ name|has\ not\ been\ declared|was\ not\ declared|in\ namespace)|.*No\ such\ file
    |unterminated""",
    re.VERBOSE,
)


def own_error(log: Log, pattern: str | re.Pattern[str]) -> tuple[Said, re.Match[str]] | None:
    """The first error of a compiler that matches, unless it may be a consequence of an error that lost the compiler."""
    own = (s for s in sound_errors(log) if not s.moved)
    return next(((s, m) for s in own if (m := re.match(pattern, s.text))), None)


@functools.lru_cache(maxsize=2)  # for all diagnoses of one log
def sound_errors(log: Log) -> tuple[Said, ...]:
    """A compiler's errors at the user's lines, without those behind an error that lost the compiler.

    An error in a header counts at the user's line that led to it, where the compiler tells that.
    """
    lost: set[str] = set()
    foreign = 0
    found = []
    for said, behind in zip_longest(log.said, log.said[1:]):
        if said.tool not in ("nvcc", "g++") or _is_shadow(said, behind):
            continue
        foreign += not own_file(said)
        at_home = said if own_file(said) else used_from(log, said) if foreign <= _MOST_FOREIGN else None
        unit = _unit(at_home or said)
        if at_home is not None and unit not in lost:
            found.append(at_home)
        if at_home is None or _DERAILS.match(said.text):
            lost.add(unit)
    return tuple(found)


def _is_shadow(said: Said, behind: Said | None) -> bool:
    """An unknown type among a function's parameters makes a variable of it, of type void: that is told first."""
    if behind is None or (said.file, said.line) != (behind.file, behind.line):
        return False
    void = re.match(
        rf"incomplete type \"void\" is not allowed|variable or field {Q}.*{Q} declared void", said.text
    )
    return void is not None and re.match(_UNKNOWN, behind.text) is not None


def used_from(log: Log, said: Said) -> Said | None:
    """An error in a header, at the user's line that instantiated its template or expanded its macro; None if untold."""
    if said.file is None or own_file(said):
        return None
    for line in reversed(log.lines[max(0, said.at - _WAY) : said.at]):  # g++ tells the way above
        if _ENDS_BLOCK.search(line):
            break
        if (m := _REQUIRED.match(line)) and _own_path(m["file"]):
            return attrs.evolve(said, file=m["file"], line=int(m["line"]), moved=True)
    for line in log.lines[said.at + 1 : said.at + _WAY]:
        if _ENDS_BLOCK.search(line):
            break
        if (m := _EXPANDED.match(line) or _AT_LINE.match(line)) and _own_path(m["file"]):
            return attrs.evolve(said, file=m["file"], line=int(m["line"]), moved=True)
    return None


def own_errors(log: Log, pattern: str | re.Pattern[str]) -> list[tuple[Said, re.Match[str]]]:
    """Every matching error, consequences included: for names to list, not for places."""
    return [(s, m) for s in _at_home(log) if (m := re.match(pattern, s.text))]


@functools.lru_cache(maxsize=2)
def _at_home(log: Log) -> tuple[Said, ...]:
    return tuple(s for s in log.said if own_file(s))


def detail(log: Log, said: Said, pattern: str) -> re.Match[str] | None:
    """A match in the lines that a compiler wrote under an error, up to the next error."""
    end = next((s.at for s in log.said if s.at > said.at), len(log.lines))
    return next((m for line in log.lines[said.at + 1 : end] if (m := re.search(pattern, line))), None)


def at_caret(log: Log, said: Said) -> str:
    """The source from the caret on, as the compiler repeats it under an error; empty where it does not."""
    if said.moved:
        return ""
    if m := _GXX_COLUMN.match(log.lines[said.at]):
        shown = _SHOWN.match(log.lines[said.at + 1]) if said.at + 1 < len(log.lines) else None
        return shown["source"][int(m["column"]) - 1 :] if shown else ""
    for at in range(said.at + 2, min(said.at + 7, len(log.lines))):
        if re.fullmatch(r" *\^", log.lines[at]):
            return log.lines[at - 1][len(log.lines[at]) - 1 :]
    return ""


def include_fix(candidate: Candidate | None, said: Said, header: str) -> Fix | None:
    """The fix that includes a header at the top of the source the error is in."""
    region = _region(candidate, said)
    if region is None:
        return None
    first = len(region.text) - len(region.text.lstrip("\n"))
    place = region.span(first, first)
    return Fix(place, f"#include <{header}>\n", safe=True) if place is not None else None


def flag_span(candidate: Candidate | None, flag: str, keyword: str = "") -> Span | None:
    """The string of the Python file that holds a compiler flag, quotes included; None unless there is just one.

    `keyword`: of load_inline; where several strings hold the flag, the one among its values.
    """
    pattern = rf"(['\"])[^'\"\n]*{re.escape(flag)}[^'\"\n]*\1"
    if (only := only_place(candidate, pattern)) is not None or candidate is None:
        return only
    source = SourceText.of(candidate.text)
    found = []
    for build in parse_file(candidate).builds if keyword else ():
        node = build.keywords.get(keyword)
        for part in ast.walk(node) if node is not None else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and flag in part.value:
                found.append(source.node_span(part))
    return found[0] if len(found) == 1 else None


def own_file(said: Said) -> bool:
    """Whether the error stands in the user's text: a source of load_inline, or one compiled without it."""
    return said.file is None or _own_path(said.file)


@functools.lru_cache(maxsize=1024)
def _own_path(path: str) -> bool:
    parts = path.split("/")
    return _OWN.fullmatch(parts[-1]) is not None and not any(p in _INSTALLED for p in parts[:-1])


def _region(candidate: Candidate | None, said: Said) -> Region | None:
    builds = parse_file(candidate).builds if candidate is not None else ()
    if len(builds) != 1 or not said.file:
        return None
    return builds[0].cpp if said.file.rpartition("/")[2] == "main.cpp" else builds[0].cuda


def _unit(said: Said) -> str:
    return said.file.rpartition("/")[2] if said.file and own_file(said) else "cuda.cu"
