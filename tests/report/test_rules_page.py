"""docs/rules.md is what the rules say today."""

from __future__ import annotations

from pathlib import Path

from cudasmith.report.rules_page import rules_page
from cudasmith.rules._rule import POINTS, all_rules


def test_the_page_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "rules.md"
    assert page.read_text() == rules_page(), "python -m cudasmith.report.rules_page > docs/rules.md"


def test_a_rule_answers_a_point_that_exists() -> None:
    assert {r.answers for r in all_rules()} - {None} <= set(POINTS)
