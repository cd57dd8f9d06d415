"""A log that no diagnosis names proves nothing."""

from __future__ import annotations

from pathlib import Path

from cudasmith.diagnoses._diagnosis import all_diagnoses

LOGS = Path(__file__).parents[1] / "data" / "logs"


def test_every_log_is_a_case_of_a_diagnosis() -> None:
    named = {case.log for diagnosis in all_diagnoses() for case in diagnosis.CASES}
    assert {path.stem for path in LOGS.glob("*.txt")} == named


def test_a_hundred_failures_are_known() -> None:
    assert len(all_diagnoses()) >= 100
