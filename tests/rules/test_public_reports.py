"""Faults that were reported of real extensions, each in a small file of our own, and files that only look like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.model import Candidate
from cudasmith.rules._subject import MODES, Mode
from cudasmith.stages.check import check

DATA = Path(__file__).parent.parent / "data" / "reports_static"
FAULTS = [  # file, rule, what stands in the line
    ("decl_def_mismatch", "CS204", "CPP_SRC = "),
    ("data_ptr_long", "CS305", "data_ptr<long>()"),
    ("torch_library_no_pyinit", "CS206", "ext = load_inline("),
    ("duplicate_pybind_module", "CS201", "functions=['op']"),
    ("source_list_reused", "CS208", 'name="own_rel"'),
    ("missing_declaration", "CS203", "functions=['op']"),
    ("dispatch_on_type", "CS305", "x.type()"),
    ("std_cpp14", "CS303", "-std=c++14"),
    ("half_operators_disabled", "CS306", "a * x[i] + b"),
    ("extern_shared_template", "CS307", "extern __shared__ scalar_t buf[]"),
    ("no_kernel_image", "CS303", "code=sm_80"),
    ("same_name_two_processes", "CS208", 'name="fused_op"'),
    ("import_time_cuda_then_fork", "CS301", "torch.cuda.get_device_name(0)"),
    ("import_time_cuda_then_fork", "CS301", 'torch.zeros(1, device="cuda")'),
    ("import_time_cuda_then_fork", "CS301", "ext = load_inline("),
    ("noncontiguous_input", "CS401", "row_sum(torch::Tensor x_in)"),
    ("contiguous_temporary_dangling", "CS402", "a.contiguous().data_ptr<float>()"),
    ("contiguous_temporary_dangling", "CS402", "b.contiguous().data_ptr<float>()"),
    ("empty_like_keeps_strides", "CS402", "torch::empty_like(x_in)"),
    ("half_not_dispatched", "CS403", "AT_DISPATCH_FLOATING_TYPES("),
    ("index_dtype_int_vs_long", "CS403", "idx.data_ptr<int>()"),
    ("half_accumulator", "CS403", "a = __hadd(a, "),
    ("input_mutated", "CS413", "relu_inplace_kernel<<<"),
    ("fast_math_powf_negative", "CS303", "--use_fast_math"),
]
HABITS = {
    "CS301",
    "CS302",
    "CS601",
}  # all of these files build at import, without -O3, outside autograd: notes by default
LOOK_ALIKES = sorted(p.name.removesuffix(".py.txt") for p in DATA.glob("ok_*"))


def candidate(name: str) -> Candidate:
    return Candidate((DATA / f"{name}.py.txt").read_text(), f"{name}.py")


@pytest.mark.parametrize(("name", "code", "fragment"), FAULTS)
@pytest.mark.parametrize("mode", MODES)
def test_a_reported_fault_is_found_at_its_line(name: str, code: str, fragment: str, mode: Mode) -> None:
    text = candidate(name)
    lines = text.text.split("\n")
    spans = [f.span for f in check(text, mode).findings if f.code == code]
    assert any(span is not None and fragment in lines[span.line - 1] for span in spans)


@pytest.mark.parametrize("name", sorted({name for name, _, _ in FAULTS} - {"same_name_two_processes"}))
def test_nothing_else_is_told_of_it(name: str) -> None:
    result = check(candidate(name), "default")
    assert {f.code for f in result.findings} - HABITS == {c for n, c, _ in FAULTS if n == name} - HABITS
    assert result.undecided == ()


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_a_file_that_only_looks_wrong_passes_with_notes(name: str) -> None:
    result = check(candidate(name), "default")
    assert {(f.code, f.severity) for f in result.findings} <= {(c, "info") for c in HABITS}
    assert result.undecided == ()
    assert {f.code for f in check(candidate(name), "strict").findings} <= HABITS


def test_there_are_six_files_that_only_look_wrong() -> None:
    assert len(LOOK_ALIKES) == 6
