"""Every diagnosis names its captured logs, first and at the right line; and none is silent or alone in the dark."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from cudasmith.diagnoses._diagnosis import Case, Diagnosis, all_diagnoses
from cudasmith.diagnoses._log import Log
from cudasmith.model import Candidate
from cudasmith.stages.diagnose import UNKNOWN, diagnose

LOGS = Path(__file__).parents[1] / "data" / "logs"
ALL = [pytest.param(d, c, id=f"{d.name}-{c.log}") for d in all_diagnoses() for c in d.CASES]


def source(log: str) -> Candidate | None:
    path = LOGS / f"{log}.py"
    return Candidate(path.read_text(), str(path)) if path.exists() else None


@pytest.mark.parametrize(("diagnosis", "case"), ALL)
def test_a_captured_log_is_named_first_at_the_right_line(diagnosis: Diagnosis, case: Case) -> None:
    text = (LOGS / f"{case.log}.txt").read_text()
    told = diagnose(text, source(case.log), case.returncode)
    (found,) = [f for f in told if f.code == diagnosis.code] or told[:1]
    assert found.code == diagnosis.code, told
    assert (found is told[0]) is case.first, told
    assert case.says in found.message
    assert (found.span.line if found.span else None) == case.line
    assert found.help


@pytest.mark.parametrize("diagnosis", all_diagnoses(), ids=lambda d: d.name)
def test_a_diagnosis_has_a_page_and_a_case(diagnosis: Diagnosis) -> None:
    page = inspect.getdoc(diagnosis) or ""
    assert len(page.split("\n\n")) >= 3, "what happens, why, what to do"
    assert diagnosis.CASES


def test_an_unknown_log_shows_its_first_error_not_its_last_page() -> None:
    text = "building\nx/cuda.cu(7): error: the moon is full\n" + "noise\n" * 500
    (found,) = diagnose(text)
    assert found.code == UNKNOWN
    assert found.notes[0] == "x/cuda.cu(7): error: the moon is full"
    assert len(found.notes) <= 12


def test_an_empty_log_says_so() -> None:
    assert diagnose("")[0].notes == ("the log is empty",)


@pytest.mark.parametrize(
    ("line", "tool", "file", "number", "text"),
    [
        ('/b/cuda.cu(4): error: expected a ";"', "nvcc", "/b/cuda.cu", 4, 'expected a ";"'),
        ("/b/main.cpp:5:51: error: 'f' was not declared in this scope", "g++", "/b/main.cpp", 5,
         "'f' was not declared in this scope"),
        ("ptxas /tmp/t.ptx, line 27; error   : Unexpected instruction types", "ptxas", "/tmp/t.ptx", 27,
         "Unexpected instruction types"),
        ("ptxas error   : Entry function '_Z1kPf' uses too much", "ptxas", None, None, "Entry function '_Z1kPf' uses too much"),
        ("nvcc fatal   : Unknown option '--use_fastmath'", "nvcc", None, None, "Unknown option '--use_fastmath'"),
        ("c++: error: unrecognized command-line option '-x'", "g++", None, None, "unrecognized command-line option '-x'"),
        ("collect2: error: ld returned 1 exit status", "ld", None, None, "ld returned 1 exit status"),
        ("/bin/sh: 1: c++: not found", "sh", None, None, "c++: not found"),
    ],
)  # fmt: skip
def test_a_tools_error_is_taken_apart(
    line: str, tool: str, file: str | None, number: int | None, text: str
) -> None:
    (said,) = Log(line).said
    assert (said.tool, said.file, said.line, said.text) == (tool, file, number, text)
