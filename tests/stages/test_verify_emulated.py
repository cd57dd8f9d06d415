"""Verify with real kernels on the CPU emulator: launches are counted, device faults found."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.model import BuildStatus, Candidate, Capture, CaseResult, CaseStatus, Problem, VerdictStatus
from cudasmith.stages.capture import capture
from cudasmith.stages.cases import cases
from cudasmith.stages.read import read
from cudasmith.stages.verify import verify

DATA = Path(__file__).parents[1] / "data"
FLAVOURS = (DATA / "verify" / "relu_flavours.py").read_text()


@pytest.fixture(scope="module")
def relu() -> tuple[Problem, Capture]:
    problem = read(DATA / "gpu" / "relu.py")
    return problem, capture(problem)


def run(subject: tuple[Problem, Capture], text: str, *names: str):
    problem, captured = subject
    chosen = tuple(c for c in cases(captured, full=False, seed=0) if not names or c.name in names)
    build, verdict = verify(problem, Candidate(text), captured, terms="1", chosen=chosen)
    return build, verdict, {r.case.name: r for r in verdict.cases}


def flavour(subject: tuple[Problem, Capture], name: str, case: str = "values_normal") -> CaseResult:
    text = FLAVOURS.replace('FLAVOUR = "right"', f'FLAVOUR = "{name}"')
    build, _, results = run(subject, text, case)
    assert build.status is BuildStatus.OK, build.log
    return results[case]


def test_a_right_kernel_passes_every_case(relu):
    build, verdict, results = run(relu, FLAVOURS)
    assert build.status is BuildStatus.OK, build.log
    assert verdict.status is VerdictStatus.PASSED, verdict.reason
    assert (
        verdict.control.startswith("the outputs changed when no kernel ran (case ") and not verdict.findings
    )
    assert results["values_normal"].launches == 1
    assert results["empty_x_dim0"].launches == 0
    assert results["shrunk"].status is CaseStatus.NON_DISCRIMINATING  # relu of [0, 1) is the input


def test_an_element_that_is_never_written_is_found(relu):
    result = flavour(relu, "last_element_missing")
    assert result.status is CaseStatus.WRONG_NAN
    assert result.worst_index == (2, 11)


def test_a_read_beyond_the_input_is_a_fault_with_a_finding(relu):
    result = flavour(relu, "reads_beyond")
    assert result.status is CaseStatus.CUDA_FAULT
    assert result.findings


def test_wide_access_at_a_misaligned_address_is_a_fault(relu):
    assert flavour(relu, "assumes_alignment", "layout_misaligned").status is CaseStatus.CUDA_FAULT


def test_a_right_result_without_a_launch_does_not_pass(relu):
    assert flavour(relu, "torch").status is CaseStatus.NO_LAUNCH


def test_a_kernel_that_does_not_compile_is_a_failed_build(relu):
    build, verdict, _ = run(relu, FLAVOURS.replace("const float v = x[i", "const float v = y[i"), "shrunk")
    assert build.status is BuildStatus.COMPILE_ERROR
    assert "y" in build.log
    assert verdict.status is VerdictStatus.NOT_RUN


def test_a_build_error_is_known_although_the_file_swallows_it(relu):
    text = FLAVOURS.replace("const float v = x[i", "const float v = y[i")
    text = text.replace('FLAVOUR = "right"', 'FLAVOUR = "torch"')
    text = text.replace("        if ModelNew._ext is None:\n", "        try:\n")
    text = text.replace(
        "\n\n    def forward", "\n        except Exception:\n            pass\n\n    def forward"
    )
    build, verdict, _ = run(relu, text, "values_normal")
    assert build.status is BuildStatus.COMPILE_ERROR
    assert verdict.status is VerdictStatus.NOT_RUN


RIGHT = "return getattr(self._ext, FLAVOUR)(x)"


def test_a_decoy_kernel_beside_torchs_result_does_not_verify(relu):
    text = FLAVOURS.replace(RIGHT, "self._ext.right(x); return torch.relu(x)")
    assert text != FLAVOURS
    _, verdict, results = run(relu, text, "values_normal")
    assert results["values_normal"].status is CaseStatus.PASSED
    assert verdict.status is VerdictStatus.FAILED
    assert verdict.reason.startswith("control: the outputs did not change when no kernel ran")
    assert [(f.code, f.severity) for f in verdict.findings] == [("EM602", "error")]


def test_a_kernel_that_no_output_shows_is_a_warning(relu):
    text = FLAVOURS.replace(RIGHT, "r = self._ext.right(x); return torch.relu(x) + 0 * (r - r)")
    _, verdict, _ = run(relu, text, "values_normal")
    assert verdict.status is VerdictStatus.PASSED
    assert "not shown" in verdict.control and "(case values_normal)" in verdict.control
    (found,) = verdict.findings
    assert (found.code, found.severity) == ("EM602", "warning")
    assert "relu_thread_per_element" in found.message


def test_a_control_that_dies_does_not_take_the_verdict_with_it(relu):
    text = FLAVOURS.replace(
        RIGHT, "y = self._ext.right(x)\n        if y.isnan().any(): import os; os._exit(3)\n        return y"
    )
    _, verdict, _ = run(relu, text, "values_normal")
    assert verdict.status is VerdictStatus.PASSED and verdict.control.startswith("not finished: ")
