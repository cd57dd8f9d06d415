"""Expressions over free sizes are evaluated without running code; what is not understood is None."""

from __future__ import annotations

import pytest

from cudasmith.model.expression import evaluate, holds

SIZES = {"s0": 10, "s1": 3}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("2*s0 - 1", 19),
        ("(s0 - 1) // 2 + 1", 5),
        ("max(1, s0 % s1)", 1),
        ("Max(s0, s1)", 10),
        ("s0 ** 2", 100),
        ("s2", None),
        ("__import__('os')", None),
        ("s0 // 0", None),
        ("s0 +", None),
        ("9 ** 9 ** 9", None),
    ],
)
def test_an_expression_has_its_value(text, value):
    assert evaluate(text, SIZES) == value


@pytest.mark.parametrize(
    ("text", "truth"),
    [("s0 > 3", True), ("s0 == s1", False), ("1 < s1 <= 3 and not s0 == 4", True), ("s9 > 1", None)],
)
def test_a_condition_holds_or_not(text, truth):
    assert holds(text, SIZES) is truth
