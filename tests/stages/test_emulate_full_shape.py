"""Stage emulate: what launches and indices do wrong at the problem's own sizes shows although the inputs were shrunk."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.model import Candidate, Emulation, RunStatus
from cudasmith.stages._emulate import look
from cudasmith.stages.emulate import EmulateOptions, emulate

REPORTS = Path(__file__).parents[1] / "data" / "reports"


def run(number: int, *changes: tuple[str, str], **options: object) -> Emulation:
    (path,) = REPORTS.glob(f"{number}_*.py")
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return emulate(Candidate(text, "own.py"), None, EmulateOptions(**{"timeout_s": 60.0, **options}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "code", "words", "shape"),
    [(36, "EM101", "v = x[i];", "2147487744"), (38, "EM301", "bias_kernel<<<", "70000x64, 64")],
)
def test_a_fault_of_the_full_shape_is_told_at_its_line(
    number: int, code: str, words: str, shape: str
) -> None:
    seen = run(number)
    (one,) = seen.findings
    (path,) = REPORTS.glob(f"{number}_*.py")
    assert one.code == code and one.span is not None
    assert words in path.read_text().splitlines()[one.span.line - 1]
    assert one.notes[-1] == f"with the problem's own inputs, {shape}"
    assert not seen.passed and seen.status is RunStatus.ENDED and "a sample of the blocks" in seen.notes[-1]


def test_the_mended_kernel_is_clean_at_full_shape() -> None:
    wide = (
        "int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;",
    )
    seen = run(36, wide)
    assert seen.passed and seen.findings == () and "at 2147487744 the first, the last" in seen.notes[-1]


def test_work_of_pytorch_that_full_shape_makes_too_long_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "LOOK_S", 0.3)
    seen = run(
        36,
        ("int i = ", "int64_t i = int64_t{1} * "),
        ("return ext.op(x)", "return ext.op(x.flip(0)).flip(0)"),
    )
    assert seen.passed and seen.notes[-1].startswith(
        "the launches at 2147487744 were not looked at: the run takes too long"
    )


def test_inputs_of_their_own_size_are_not_looked_at_twice() -> None:
    small = ("torch.empty(2**31 + 4096, dtype", "torch.empty(4096, dtype")
    assert run(36, small).notes == ()
