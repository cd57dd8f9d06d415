"""A log is searched by texts that a match must contain: nothing is lost by that."""

from __future__ import annotations

import re

import pytest

from captured import LOGS
from cudasmith.diagnoses._diagnosis import all_diagnoses
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._needles import needles
from cudasmith.diagnoses._told import ToldLine
from cudasmith.stages.diagnose import diagnose

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


def test_a_log_of_many_megabytes_is_read_at_its_ends_and_where_it_speaks_of_an_error() -> None:
    error = "RuntimeError: CUDA error: misaligned address\n"
    noise = "[1/3] compiling something\n" * 400_000
    for log in (noise + error + noise, noise + noise + error):
        (found,) = diagnose(log)
        assert found.code == "DG602"
        assert found.notes[-1].startswith("of a log of 21 MB the two ends")
    assert diagnose(noise)[0].code == "DG000"


def test_one_endless_line_is_a_log_that_nobody_knows() -> None:
    assert diagnose("x" * 20_000_000)[0].code == "DG000"
