"""Verify on a real GPU, with torch's own build: small shapes, the full shape, a faulty kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.gpu.device import query, usable_device
from cudasmith.model import BuildStatus, Candidate, CaseStatus, VerdictStatus
from cudasmith.stages.capture import capture
from cudasmith.stages.read import read
from cudasmith.stages.verify import verify

DATA = Path(__file__).parents[1] / "data" / "gpu"
DEVICE = query()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not DEVICE.usable, reason=f"no CUDA GPU: {DEVICE.reason}"),
]


def run(text: str, **options):
    problem = read(DATA / "relu.py")
    return verify(
        problem, Candidate(text), capture(problem), terms="1", executor="gpu", memory_bytes=0, **options
    )


def test_a_right_kernel_passes_small_and_full_shapes():
    build, verdict = run((DATA / "relu_new.py").read_text(), full=True)
    assert build.status is BuildStatus.OK, build.log
    assert verdict.status is VerdictStatus.PASSED, verdict.reason
    assert verdict.device == usable_device().name
    assert any(r.case.full and r.status is CaseStatus.PASSED for r in verdict.cases)


def test_an_illegal_access_is_a_fault_of_its_case_and_the_others_go_on():
    text = (DATA / "relu_new.py").read_text()
    text = text.replace("out[i] = v", "out[n == 12 ? i + (int64_t(1) << 40) : i] = v")
    _, verdict = run(text)
    faults = [r.case.name for r in verdict.cases if r.status is CaseStatus.CUDA_FAULT]
    assert faults == ["x_dim0_is_1"]
    assert verdict.status is VerdictStatus.FAILED


def test_a_kernel_that_does_not_compile_is_a_failed_build():
    text = (DATA / "relu_new.py").read_text().replace("const T v = x[i];", "const T v = y[i];")
    build, verdict = run(text)
    assert build.status is BuildStatus.COMPILE_ERROR
    assert 'identifier "y" is undefined' in build.log
    assert verdict.status is VerdictStatus.NOT_RUN
