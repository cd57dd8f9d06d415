"""Checked mode has no finding on what cudasmith emits: one case of every unit here, all of them in benchmarks/emulator.py."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from cudasmith import emulator
from cudasmith.model import Problem, Tier
from cudasmith.model.jsonio import dumps
from cudasmith.ops import OpCase, Unit, units
from cudasmith.pipeline import terms
from cudasmith.stages._tracing.tracer import capture_here
from cudasmith.stages._verify.entry import Request, verify_here
from cudasmith.stages.cases import cases
from cudasmith.stages.emit import emit
from cudasmith.stages.plan import plan

# The last case of a tier, because the first is the plainest; of conv one that computes little.
_CHOSEN = {"conv": "unbatched"}


def _cases(unit: Unit) -> list[tuple[OpCase, Tier]]:
    found: dict[Tier, OpCase] = {}
    for case in unit.cases():
        for tier in case.tiers:
            if _CHOSEN.get(unit.name, case.name) == case.name:
                found[tier] = case
    return [(case, tier) for tier, case in found.items()]


ALL = [
    pytest.param(case, tier, id=f"{unit.name}-{case.name}-{tier}")
    for unit in units()
    for case, tier in _cases(unit)
]


@pytest.mark.parametrize(("case", "tier"), ALL)
def test_an_emitted_file_has_no_finding(
    case: OpCase, tier: Tier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = Problem(str(tmp_path / f"{case.name}.py"), case.source)
    captured = capture_here(problem, lambda phase: None)
    planned = plan(captured, tier)
    text = emit(problem, captured, planned).text
    checked = functools.partial(emulator.installed, mode="checked", order="random")
    monkeypatch.setattr(emulator, "installed", checked)
    request = Request(
        problem,
        text,
        captured,
        cases(captured, full=False, seed=1),
        (),
        terms(planned),
        "emulator",
        True,
        60.0,
        str(tmp_path),
    )
    events: list[dict[str, object]] = []
    warned = len(emulator.warned())
    assert verify_here(dumps(request).encode(), events.append)["end"] == "done"
    assert emulator.coverage().launches > 0
    assert emulator.coverage().unchecked == ()
    assert emulator.detected() == []
    assert emulator.warned()[warned:] == []
