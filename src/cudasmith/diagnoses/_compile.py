"""What diagnoses of compile errors share: which of a compiler's errors is worth explaining, and words in quotes."""

from __future__ import annotations

import re

from cudasmith.diagnoses._log import Log, Said
from cudasmith.diagnoses._text import only_place
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix, Span
from cudasmith.source.filemodel import parse_file
from cudasmith.source.regions import Region

Q = "[\"'\u2018\u2019]"  # quotes of nvcc, and of g++ in the C and in other locales
_OWN = re.compile(r".*\.(?:cu|cuh|cpp|cc|cxx|c)")
_INSTALLED = (
    "include",
    "site-packages",
    "dist-packages",
    "targets",
    "usr",
)  # folders of headers that are not the user's

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
    lost = set()
    for said in log.said:
        if said.tool not in ("nvcc", "g++"):
            continue
        unit, own = _unit(said), own_file(said)
        if unit not in lost and own and (match := re.match(pattern, said.text)):
            return said, match
        if not own or _DERAILS.match(said.text):
            lost.add(unit)
    return None


def own_errors(log: Log, pattern: str | re.Pattern[str]) -> list[tuple[Said, re.Match[str]]]:
    """Every matching error, consequences included: for names to list, not for places."""
    return [(s, m) for s in log.said if own_file(s) and (m := re.match(pattern, s.text))]


def detail(log: Log, said: Said, pattern: str) -> re.Match[str] | None:
    """A match in the lines that a compiler wrote under an error, up to the next error."""
    end = next((s.at for s in log.said if s.at > said.at), len(log.lines))
    return next((m for line in log.lines[said.at + 1 : end] if (m := re.search(pattern, line))), None)


def at_caret(log: Log, said: Said) -> str:
    """The source from the caret on, as cudafe++ repeats it under an error; empty where it does not."""
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


def flag_span(candidate: Candidate | None, flag: str) -> Span | None:
    """The string of the Python file that holds a compiler flag, quotes included; None unless there is just one."""
    return only_place(candidate, rf"(['\"])[^'\"\n]*{re.escape(flag)}[^'\"\n]*\1")


def own_file(said: Said) -> bool:
    """Whether the error stands in the user's text: a source of load_inline, or one compiled without it."""
    if said.file is None:
        return True
    parts = said.file.split("/")
    return _OWN.fullmatch(parts[-1]) is not None and not any(p in _INSTALLED for p in parts[:-1])


def _region(candidate: Candidate | None, said: Said) -> Region | None:
    builds = parse_file(candidate).builds if candidate is not None else ()
    if len(builds) != 1 or not said.file:
        return None
    return builds[0].cpp if said.file.rpartition("/")[2] == "main.cpp" else builds[0].cuda


def _unit(said: Said) -> str:
    return said.file.rpartition("/")[2] if said.file and own_file(said) else "cuda.cu"
