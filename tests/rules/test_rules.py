"""Every rule against its own cases."""

from __future__ import annotations

import re

import pytest

from cudasmith.model import Candidate, Finding
from cudasmith.model.finding import Fix
from cudasmith.model.undecided import Undecided
from cudasmith.rules._cases import CORRECT, DECLARED
from cudasmith.rules._rule import Rule, all_rules
from cudasmith.rules._subject import Mode, subject
from cudasmith.source.filemodel import parse_file
from cudasmith.source.text import SourceText

RULES = all_rules()


def cases(kind: str) -> list[object]:
    return [
        pytest.param(rule, text, id=f"{rule.code}-{i}")
        for rule in RULES
        for i, text in enumerate(getattr(rule, kind))
    ]


def verdicts(rule: Rule, text: str, mode: Mode = "strict") -> list[Finding | Undecided]:
    return list(rule.check(subject(parse_file(Candidate(text)), mode)))


@pytest.mark.parametrize(("rule", "text"), cases("BAD"))
def test_a_bad_case_is_found_on_its_line(rule: Rule, text: str) -> None:
    found = [v for v in verdicts(rule, text) if isinstance(v, Finding)]
    assert found
    assert {v.code for v in found} == {rule.code}
    wanted = {i for i, line in enumerate(text.split("\n"), 1) if re.search(r"\bHERE\b", line)}
    if wanted:
        assert {v.span.line for v in found if v.span} == wanted


@pytest.mark.parametrize(("rule", "text"), cases("GOOD"))
def test_a_good_case_is_silent(rule: Rule, text: str) -> None:
    assert verdicts(rule, text) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.code)
def test_a_correct_file_is_silent_in_both_binding_patterns(rule: Rule) -> None:
    assert verdicts(rule, CORRECT) == []
    assert verdicts(rule, DECLARED) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.code)
def test_a_rule_has_a_manual_page_and_three_bad_cases(rule: Rule) -> None:
    assert re.fullmatch(r"CS\d{3}", rule.code)
    assert rule.__doc__ and len(rule.__doc__.split("\n")[0]) <= 110
    assert set(rule.severity) == {"strict", "default", "lenient"}
    assert len(rule.BAD) >= 3
    assert rule.GOOD


def test_codes_are_unique_and_sorted() -> None:
    codes = [r.code for r in RULES]
    assert codes == sorted(set(codes))


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.code)
def test_a_rule_says_nothing_of_an_empty_file_or_says_it_without_crashing(rule: Rule) -> None:
    for text in ("", "\n", "x = 1\n", "\ufeffimport torch\r\n", "import torch\x00"):
        for mode in ("strict", "default", "lenient"):
            verdicts(rule, text, mode)


def fixed(text: str, fixes: list[Fix]) -> str:
    """The text with the fixes of one rule written in, each place once."""
    source = SourceText.of(text)
    places = {
        (source.starts[f.span.line - 1] + f.span.column - 1,
         source.starts[(f.span.end_line or f.span.line) - 1] + (f.span.end_column or f.span.column) - 1): f.text
        for f in fixes
    }  # fmt: skip
    for (start, end), new in sorted(places.items(), reverse=True):
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize(("rule", "text"), cases("BAD"))
def test_a_fix_ends_the_finding_it_belongs_to(rule: Rule, text: str) -> None:
    found = [v for v in verdicts(rule, text) if isinstance(v, Finding)]
    mended = [v.fix for v in found if v.fix is not None]
    if mended:
        left = [v for v in verdicts(rule, fixed(text, mended)) if isinstance(v, Finding)]
        assert len(left) == len(found) - len(mended)
