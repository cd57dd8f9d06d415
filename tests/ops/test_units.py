"""Every operator unit, every case of its own, in every tier: the emitted file equals the reference.

The stages run in this process (the cases are ours), so that torch is loaded once.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from cudasmith.model import Candidate, Capture, CaseResult, Problem, Tier
from cudasmith.model.jsonio import dumps, from_data
from cudasmith.ops import OpCase, Unit, units
from cudasmith.pipeline import terms
from cudasmith.stages._tracing.tracer import capture_here
from cudasmith.stages._verify.entry import Request, verify_here
from cudasmith.stages.cases import cases
from cudasmith.stages.check import check
from cudasmith.stages.emit import emit
from cudasmith.stages.plan import plan

ALL = [
    pytest.param(unit, case, tier, id=f"{unit.name}-{case.name}-{tier}")
    for unit in units()
    for case in unit.cases()
    for tier in case.tiers
]
PROVEN, UNCOUNTED = "PASSED", ("REFERENCE_FAILED", "NON_DISCRIMINATING")


def run_on_emulator(
    problem: Problem, candidate: Candidate, captured: Capture, n: str, work: Path
) -> list[CaseResult]:
    """All verify cases of one candidate, in this process."""
    chosen = cases(captured, full=False, seed=1)
    request = Request(problem, candidate.text, captured, chosen, (), n, "emulator", True, 60.0, str(work))
    events: list[dict[str, Any]] = []
    ended = verify_here(dumps(request).encode(), events.append)
    assert ended["end"] == "done", ended
    return [from_data(e["result"], CaseResult) for e in events if "done" in e]


@pytest.mark.parametrize(("unit", "case", "tier"), ALL)
def test_an_emitted_file_equals_its_reference(unit: Unit, case: OpCase, tier: Tier, tmp_path: Path) -> None:
    problem = Problem(str(tmp_path / f"{case.name}.py"), case.source)
    captured = capture_here(problem, lambda phase: None)
    planned = plan(captured, tier)
    used = {step.unit for step in planned.steps() if step.kernel is not None}
    assert unit.name in used, [(s.nodes, s.reason) for s in planned.steps()]
    candidate = emit(problem, captured, planned)
    assert not [f for f in check(candidate, mode="strict").findings if f.severity == "error"]
    results = run_on_emulator(problem, candidate, captured, terms(planned), tmp_path)
    wrong = [r for r in results if r.status.value not in (PROVEN, *UNCOUNTED)]
    assert not wrong, "\n".join(f"{r.case.name} {r.status.value} {r.message} {r.error_ratio}" for r in wrong)
    assert sum(r.status.value == PROVEN for r in results) >= 3


@pytest.mark.parametrize("unit", units(), ids=lambda u: u.name)
def test_a_single_operator_stays_short_in_the_minimal_tier(unit: Unit, tmp_path: Path) -> None:
    """60 to 80 lines of model code: neither blank nor comment. The first case is the plain operator."""
    case = next(c for c in unit.cases() if "minimal" in c.tiers)
    problem = Problem(str(tmp_path / "reference.py"), case.source)
    captured = capture_here(problem, lambda phase: None)
    text = emit(problem, captured, plan(captured, "minimal")).text
    code = [line for line in text.splitlines() if line.strip() and not line.strip().startswith(("//", "# "))]
    assert len(code) <= 80, f"{len(code)} lines"


@pytest.mark.parametrize("unit", units(), ids=lambda u: u.name)
def test_an_emitted_file_stands_alone_and_starts_with_code(unit: Unit, tmp_path: Path) -> None:
    problem = Problem(str(tmp_path / "reference.py"), unit.cases()[0].source)
    captured = capture_here(problem, lambda phase: None)
    text = emit(problem, captured, plan(captured, "fast")).text
    assert text.startswith("import ")
    imports = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.Import, ast.ImportFrom))]
    roots = {(n.module if isinstance(n, ast.ImportFrom) else n.names[0].name) for n in imports}
    assert not [r for r in roots if r and r.split(".")[0] == "cudasmith"]
