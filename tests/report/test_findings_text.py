"""Findings as text."""

from __future__ import annotations

import pytest

from cudasmith.model import CudasmithError, Finding, Span
from cudasmith.model.undecided import Undecided
from cudasmith.report.explain import explain, index
from cudasmith.report.findings_text import render_all, render_finding, summary


def test_a_finding_shows_the_line_with_carets_below_the_span() -> None:
    finding = Finding("CS101", "error", "the fact", span=Span(2, 5, 2, 8), help="what to do", notes=("why",))
    assert render_finding(finding, "first\nabcdefghij\n", "f.py") == (
        "error[CS101] the fact\n  --> f.py:2:5\n    2 | abcdefghij\n      |     ^^^\n"
        "  note: why\n  help: what to do"
    )  # fmt: skip


def test_a_span_over_lines_is_marked_to_the_end_of_its_first() -> None:
    finding = Finding("CS101", "error", "m", span=Span(1, 3, 2, 2))
    assert render_finding(finding, "abcdef\nxy", "f").splitlines()[-1] == "      |   ^^^^"


def test_a_long_line_is_cut_around_the_caret() -> None:
    text = " " * 500 + "HERE" + " " * 500
    finding = Finding("CS101", "error", "m", span=Span(1, 501, 1, 505))
    shown, caret = render_finding(finding, text, "f").splitlines()[-2:]
    assert len(shown) < 160
    assert shown.index("HERE") == caret.index("^^^^")


def test_a_finding_without_a_place_names_the_file() -> None:
    assert render_finding(Finding("CS103", "error", "m"), "", "f.py").endswith("  --> f.py")


def test_colour_is_only_used_when_asked_for() -> None:
    finding = Finding("CS101", "error", "m")
    assert "\x1b" not in render_finding(finding, "", "f")
    assert "\x1b[1;31m" in render_finding(finding, "", "f", colour=True)


def test_the_summary_counts_by_severity() -> None:
    findings = [Finding("A", "error", ""), Finding("B", "error", ""), Finding("C", "info", "")]
    assert summary(findings, [Undecided("D", "r")]) == "2 errors, 1 note, 1 undecided"
    assert summary([], []) == "no findings"
    assert "undecided[D] r" in render_all(findings, [Undecided("D", "r")], "", "f")


def test_explain_gives_the_manual_page_by_code_and_by_name() -> None:
    assert explain("cs101") == explain("only-source")
    assert "Markdown" in explain("CS101")
    assert "strict: error" in explain("CS101")
    assert len(index().splitlines()) >= 17


def test_explain_of_an_unknown_code_names_the_nearest() -> None:
    with pytest.raises(CudasmithError) as caught:
        explain("CS103x")
    assert caught.value.exit_code == 2
    assert "CS103" in (caught.value.help or "")
