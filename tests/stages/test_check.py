"""check on whole files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cudasmith.model import Candidate
from cudasmith.rules._cases import BINDING, CORRECT, DECLARED, PASSED, edit
from cudasmith.stages.check import MODES, Mode, check

DATA = Path(__file__).parent.parent / "data"


@pytest.mark.parametrize("name", ["emitted_masked_cumsum_minimal", "emitted_gelu_fast"])
@pytest.mark.parametrize("mode", MODES)
def test_an_emitted_file_is_silent(name: str, mode: Mode) -> None:
    result = check(Candidate((DATA / f"{name}.py.txt").read_text()), mode)
    assert result.findings == ()
    assert result.undecided == ()
    assert result.status == "passed"


def test_what_a_port_leaves_to_pytorch_fails_only_in_strict_mode() -> None:
    candidate = Candidate((DATA / "emitted_with_rest_minimal.py.txt").read_text())
    strict, default = check(candidate, "strict"), check(candidate, "default")
    assert [f.code for f in strict.findings] == ["CS502"]
    assert strict.status == "failed"
    assert [(f.code, f.severity) for f in default.findings] == [("CS502", "info")]
    assert default.status == "passed"
    line = candidate.text.split("\n")[strict.findings[0].span.line - 1] if strict.findings[0].span else ""
    assert "torch.ops.aten.cumsum" in line


@pytest.mark.parametrize("text", [CORRECT, DECLARED, PASSED])
def test_correct_files_of_three_styles_pass(text: str) -> None:
    assert check(Candidate(text)).findings == ()


def test_the_popular_style_passes_default_mode_with_notes_only() -> None:
    """Built at import, no flags, no autograd.Function: nine in ten public files, and right for inference."""
    flags = '                extra_cflags=["-O3"],\n                extra_cuda_cflags=["-O3"],\n'
    text = edit(
        (flags, ""), ("Scale.apply(self.ext, x, self.by)", "self.ext.scale(x, self.by)"),
        ("        if ModelNew._ext is None:\n            ModelNew._ext = ", "        ModelNew._ext = "),
    )  # fmt: skip
    result = check(Candidate(text), "default")
    assert {(f.code, f.severity) for f in result.findings} == {
        (c, "info") for c in ("CS301", "CS302", "CS601")
    }
    assert result.status == "passed"
    assert check(Candidate(text), "strict").status == "failed"


def test_findings_are_sorted_and_carry_the_text_hash() -> None:
    text = edit(
        ("  C10_CUDA_KERNEL_LAUNCH_CHECK();\n", ""),
        ("  const c10::cuda::CUDAGuard guard(x.device());\n", ""),
        ("TORCH_EXTENSION_NAME", "other"),
    )
    result = check(Candidate(text))
    assert [f.code for f in result.findings] == ["CS404", "CS405", "CS202"]
    assert result.sha256 == Candidate(text).sha256


def test_unread_sources_are_undecided_and_no_pass() -> None:
    result = check(Candidate(edit(("cuda_sources=[cuda_src]", "cuda_sources=[read()]"))))
    assert not [f for f in result.findings if f.severity == "error"]
    assert result.undecided
    assert result.status == "undecided"


def test_checking_does_not_import_torch() -> None:
    code = (
        "import sys; from cudasmith.stages.check import check; from cudasmith.model import Candidate;"
        "check(Candidate('x = 1')); sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_token_budget_is_a_note_and_only_when_it_is_given() -> None:
    assert check(Candidate(CORRECT), token_budget=2000).findings == ()
    result = check(Candidate(CORRECT), token_budget=200)
    assert [(f.code, f.severity) for f in result.findings] == [("CS106", "info")]
    assert "200" in result.findings[0].message
    assert result.status == "passed"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (((BINDING, ""),), "CS206"),
        ((("ext.scale(x, by)", "ext.scaled(x, by)"),), "CS207"),
        ((("ext.scale(x, by)", "ext.scale(x)"),), "CS207"),
        (((BINDING, BINDING + BINDING),), "CS201"),
    ],
)
def test_one_fault_of_the_binding_is_told_once(changes: tuple[tuple[str, str], ...], code: str) -> None:
    assert {f.code for f in check(Candidate(edit(*changes))).findings} == {code}
