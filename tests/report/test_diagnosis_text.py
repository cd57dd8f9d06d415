"""Diagnosed failures as text and JSON, and the library entry."""

from __future__ import annotations

from pathlib import Path

import pytest

import cudasmith
from cudasmith.model import Finding
from cudasmith.model.finding import Fix, Span
from cudasmith.report.diagnosis_text import diagnosis_dict, fixed_lines, render_diagnosis
from cudasmith.report.explain import cause, explain

LOGS = Path(__file__).parents[1] / "data" / "logs"


def test_the_cause_is_the_page_without_what_to_do() -> None:
    page = explain("DG401").split("\n\n", 1)[1]
    assert page.startswith(cause("DG401"))
    assert "letter by letter" in page and "letter by letter" not in cause("DG401")
    assert cause("DG000") == ""


@pytest.mark.parametrize(
    ("span", "text", "lines"),
    [
        (Span(2, 4, 2, 5), ";", ["two;three"]),
        (Span(2, 4, 2, 4), ";\n", ["two;", " three"]),
        (Span(1, 2, 2, 3), "-", ["o-o three"]),
        (Span(9), "x", []),
    ],
)
def test_a_fix_is_shown_as_the_lines_after_it(span: Span, text: str, lines: list[str]) -> None:
    assert fixed_lines("one\ntwo three\n", Fix(span, text)) == lines


def test_without_a_candidate_the_log_is_the_place_and_no_fix_is_shown() -> None:
    finding = Finding("DG401", "error", "f is called", fix=Fix(Span(1), "x"))
    text = render_diagnosis([finding], None, "build.txt")
    assert text.splitlines()[:2] == ["error[DG401] f is called", "  --> build.txt"]
    assert "fixed:" not in text and max(map(len, text.splitlines())) <= 100
    assert diagnosis_dict(finding, None)["fixed_lines"] is None


def test_the_library_diagnoses_a_text_at_the_files_lines() -> None:
    text = (LOGS / "missing_semicolon.txt").read_text()
    (first, *_) = cudasmith.diagnose(text, LOGS / "missing_semicolon.py")
    assert (first.code, first.span.line if first.span else None) == ("DG201", 5)
    assert cudasmith.diagnose("", returncode=-9)[0].code == "DG704"
    with pytest.raises(cudasmith.CudasmithError):
        cudasmith.diagnose(text, "none.py")
    assert (
        cudasmith.diagnose("\x1b[31mRecursionError: maximum recursion depth exceeded\x1b[0m")[0].code
        == "DG708"
    )
