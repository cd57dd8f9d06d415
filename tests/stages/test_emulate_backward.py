"""Stage emulate: a backward that the file defines is run, its launches are checked, its gradients compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.cli.emulate import exit_code
from cudasmith.model import Candidate, CaseStatus, Emulation, RunStatus
from cudasmith.report.as_json import emulation_json
from cudasmith.report.emulation_text import render_emulation
from cudasmith.stages.emulate import EmulateOptions, emulate

TEXT = (Path(__file__).parents[1] / "data" / "emulate" / "backward.py").read_text()
REPORTS = Path(__file__).parents[1] / "data" / "reports"


def run(*changes: tuple[str, str], **options: object) -> Emulation:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return emulate(Candidate(text, "backward.py"), None, EmulateOptions(**{"timeout_s": 60.0, **options}))  # type: ignore[arg-type]


def codes(seen: Emulation) -> list[str]:
    return [f.code for f in seen.findings]


def test_gradients_of_inputs_and_parameters_are_compared_and_right() -> None:
    seen = run()
    assert seen.passed and seen.findings == (), seen
    assert seen.gradients is not None and seen.gradients.status is CaseStatus.PASSED
    assert seen.gradients.error_ratio is not None and not seen.not_differentiated
    counts = {one.kernel: one.count for one in seen.launches}
    assert counts == {"scaled_kernel": 3, "scaled_backward_kernel": 2, "sums_kernel": 2}
    page = render_emulation(seen, Candidate(TEXT, "backward.py"))
    assert "  gradients:   equal with inputs 6x8" in page
    assert '"gradients": {' in emulation_json(seen)


@pytest.mark.parametrize(
    ("right", "wrong", "path"),
    [
        ("gx[i] = g[i] * w[i % cols];", "gx[i] = g[i];", "gradient of input 0"),
        (
            "total += g[r * cols + c] * x[r * cols + c];",
            "total += g[r * cols + c];",
            "gradient of parameter w",
        ),
    ],
)
def test_a_wrong_gradient_is_told_although_the_output_is_right(right: str, wrong: str, path: str) -> None:
    seen = run((right, wrong))
    assert seen.comparison is not None and seen.comparison.status is CaseStatus.PASSED
    assert seen.gradients is not None and seen.gradients.status is CaseStatus.WRONG_VALUE
    assert f"with a seeded gradient: {path}[" in seen.gradients.message
    assert not seen.passed and exit_code(seen) == 1


def test_without_backward_a_wrong_gradient_is_not_seen_and_nothing_is_said_of_it() -> None:
    seen = run(("gx[i] = g[i] * w[i % cols];", "gx[i] = g[i];"), backward=False)
    assert seen.passed and seen.gradients is None and not seen.not_differentiated
    assert [(one.kernel, one.count) for one in seen.launches] == [("scaled_kernel", 1)]


def test_a_gradient_that_is_read_as_dense_is_found_at_its_line() -> None:
    seen = run(("auto g = g_in.contiguous();", "auto g = g_in;"))
    assert seen.status is RunStatus.RAISED and codes(seen) == ["EM101"]
    span = seen.findings[0].span
    assert span is not None and "gx[i] = g[i] * w[i % cols];" in TEXT.splitlines()[span.line - 1]
    # the first backward passed: its comparison and its launches are told, each once
    assert seen.gradients is not None and seen.gradients.status is CaseStatus.PASSED
    page = render_emulation(seen, Candidate(TEXT, "backward.py"))
    assert "equal with inputs 6x8" in page and "with that of out.sum() not compared: the run did not" in page
    counts = {one.kernel: one.count for one in seen.launches}
    assert counts == {"scaled_kernel": 3, "scaled_backward_kernel": 2, "sums_kernel": 1}


def test_a_crash_in_the_second_backward_keeps_the_comparison_of_the_first() -> None:
    crash = "if (g_in.is_contiguous()) { } else *(volatile int*)nullptr = 1; auto g = g_in.contiguous();"
    seen = run(("auto g = g_in.contiguous();", crash))
    assert seen.status is RunStatus.CRASHED and codes(seen) == ["EM607"]
    assert seen.gradients is not None and seen.gradients.status is CaseStatus.PASSED
    assert "did not end" in seen.not_differentiated


def test_memory_that_no_thread_of_a_backward_writes_is_found() -> None:
    seen = run(("if (i < n) gx[i]", "if (i < n - 1) gx[i]"))
    assert "EM403" in codes(seen) and not seen.passed


def test_none_for_what_the_reference_differentiates_is_told() -> None:
    seen = run(("return gx, gw", "return gx, None"))
    assert seen.gradients is not None and seen.gradients.status is CaseStatus.WRONG_TYPE
    assert "backward returns None as gradient of parameter w" in seen.gradients.message and not seen.passed


def test_an_exception_of_backward_stands_at_its_line() -> None:
    seen = run(("return gx, gw", "raise ValueError('not yet')"))
    assert codes(seen) == ["EM605"] and "backward raised ValueError: not yet" in seen.findings[0].message
    span = seen.findings[0].span
    assert span is not None and "return gx, gw" in TEXT.splitlines()[span.line - 1]
    assert seen.comparison is not None and "did not end" in seen.not_differentiated


def test_a_crash_of_backward_keeps_what_forward_showed() -> None:
    seen = run(("auto g = g_in.contiguous();", "auto g = g_in.contiguous(); *(volatile int*)nullptr = 1;"))
    assert seen.status is RunStatus.CRASHED and codes(seen) == ["EM607"]
    assert seen.comparison is not None and seen.control == "the outputs changed when no kernel ran"
    assert {one.kernel for one in seen.launches} == {"scaled_kernel"}


def test_a_reference_without_a_gradient_is_not_compared_and_it_says_so() -> None:
    seen = run(("return x * self.w  # REFERENCE", "return (x * self.w).detach()"))
    assert seen.passed and seen.gradients is None
    assert seen.not_differentiated == "no output of forward requires grad (the reference)"
    broken = run(("return x * self.w  # REFERENCE", "return torch.from_numpy((x * self.w).detach().numpy())"))
    assert broken.passed and broken.gradients is None and broken.not_differentiated


def test_a_reference_whose_backward_raises_is_not_compared_and_it_says_so() -> None:
    raising = "y = x * self.w\n        y.requires_grad and y.register_hook(lambda g: 1 / 0)\n        return y"
    seen = run(("return x * self.w  # REFERENCE", raising))
    assert (
        seen.passed and "the reference cannot be differentiated: ZeroDivisionError" in seen.not_differentiated
    )


def test_a_backward_that_is_never_called_is_a_warning() -> None:
    seen = run(("return Scaled.apply(x, self.w)", "return ext.scaled(x, self.w)"))
    (found,) = seen.findings
    assert (found.code, found.severity) == ("EM608", "warning") and seen.passed
    assert seen.not_differentiated == "no output of ModelNew requires grad"


def test_without_a_reference_a_backward_is_run_all_the_same() -> None:
    changes = ("class Model(nn.Module)", "class Other(nn.Module)")
    seen = run(changes, ("auto g = g_in.contiguous();", "auto g = g_in;"))
    assert codes(seen) == ["EM101"]
    assert "there is no reference" in run(changes).not_differentiated


def test_a_parameter_of_another_name_is_not_compared_and_it_says_so() -> None:
    seen = run(("self.w = nn.Parameter(torch.ones(8))  # NEW", "self.v = nn.Parameter(torch.ones(8))"),
               ("Scaled.apply(x, self.w)", "Scaled.apply(x, self.v)"))  # fmt: skip
    assert seen.gradients is not None and seen.gradients.status is CaseStatus.PASSED, seen
    assert (
        "not compared, as ModelNew has no such parameter: gradient of parameter w" in seen.gradients.message
    )


@pytest.mark.parametrize(("number", "words"), [(34, "EM101"), (77, "is nan, must be")])
def test_the_verb_tells_the_reports_whose_fault_is_in_backward(number: int, words: str) -> None:
    (path,) = REPORTS.glob(f"{number}_*.py")
    candidate = Candidate(path.read_text(), path.name)
    seen = emulate(candidate, None, EmulateOptions())
    assert not seen.passed and words in render_emulation(seen, candidate)


def test_a_backward_that_says_it_has_none_is_no_fault() -> None:
    seen = run(
        (
            "gx, gw = ext.scaled_backward(*ctx.saved_tensors, g)",
            "raise NotImplementedError('inference only')",
        ),
        ("return gx, gw", ""),
    )
    assert seen.passed and seen.findings == () and seen.status is RunStatus.ENDED, seen
    assert seen.gradients is None
    assert seen.not_differentiated == "backward refuses: NotImplementedError: inference only"


def test_a_file_of_ours_is_clean() -> None:
    emitted = Path(__file__).parents[1] / "data" / "emitted_gelu_fast.py.txt"
    reference = (
        "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n"
        "        return torch.nn.functional.gelu(x, approximate='tanh')\n"
        "def get_inputs():\n    return [torch.randn(33, 65)]\ndef get_init_inputs():\n    return []\n"
    )
    seen = emulate(
        Candidate(emitted.read_text(), "ours.py"), Candidate(reference, "gelu.py"), EmulateOptions()
    )
    assert seen.passed and seen.findings == () and "backward refuses" in seen.not_differentiated, seen
