"""A log is searched by texts that a match must contain: nothing is lost by that."""

from __future__ import annotations

import re

import pytest

from captured import LOGS
from cudasmith.diagnoses._diagnosis import all_diagnoses
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._needles import needles
from cudasmith.diagnoses._told import ToldLine

PATTERNS = sorted({d.told for d in all_diagnoses() if isinstance(d, ToldLine)})
TEXT = "\n".join(path.read_text() for path in sorted(LOGS.glob("*.txt")))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_first_line_found_is_that_of_a_plain_search(pattern: str) -> None:
    log = Log(TEXT)
    plain = next(((at, m) for at, line in enumerate(log.lines) if (m := re.search(pattern, line))), None)
    found = log.find(pattern)
    assert (found and (found[0], found[1].span())) == (plain and (plain[0], plain[1].span()))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("undefined symbol: (?P<name>\\w+)", ("undefined symbol: ",)),
        ("(?:cannot find|unable to find library) -l", ("cannot find", "unable to find library")),
        ("(?i:cuda error)", ()),
        ("a*b?", ()),
        ("(?:long text)?x", ()),
        ("[ab]cdef+", ("cde",)),
    ],
)
def test_a_match_contains_one_of_the_texts(pattern: str, expected: tuple[str, ...]) -> None:
    assert needles(pattern) == expected


def test_repeated_lines_keep_their_places() -> None:
    log = Log("x.cu(1): error: a\nnoise\nx.cu(1): error: a\n")
    assert [said.at for said in log.said] == [0, 2]
