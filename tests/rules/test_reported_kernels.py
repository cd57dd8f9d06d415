"""Kernels that failed in the field, and right ones that look like them: each is told at its line, or not at all."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from cudasmith.model import Candidate, Capture, Finding, Graph, Ref, Value
from cudasmith.stages.check import check
from graphs import captured

DATA = Path(__file__).parent.parent / "data" / "reports_kernels"
PLANTED = Path(__file__).parent.parent / "emulator" / "planted"
ABOUT_KERNELS = re.compile(r"CS4(?:0[6-9]|1[0-2])|CS50[34]|CS602")

# file, sizes of its problem, what is found at any size, what at the problem's, and the line both stand on
REPORTED = [
    ("grad_output_expanded", [(333, 77)], "CS602 warning", "CS602 warning", "return ext.scale_bwd(grad_out)"),
    ("int32_index_overflow", [(2**31 + 4096,)], "CS407 info", "CS407 error", "int i = blockIdx.x"),
    ("grid_y_limit", [(70000, 64), (64,)], "CS406 warning", "CS406 error", "bias_kernel<<<"),
    ("zero_size_launch", [(0, 16)], "CS406 info", "CS406 error", "op_kernel<<<"),
    ("block_equals_feature_dim", [(64, 2048)], "CS406 warning", "CS406 error", "rms_kernel<<<"),
    ("launch_error_swallowed", [(64, 1536)], "CS406 warning", "CS406 error", "rms_kernel<<<"),
    ("dynamic_smem_over_48k", [(32, 16384)], "CS406 warning", "CS406 error", "softmax_kernel<<<"),
    ("wrong_global_index", [(48, 40)], "CS410 warning", "CS410 warning", "int i = blockIdx.x"),
    ("smem_reuse_missing_sync", [(8192, 300)], "CS409 warning", "CS409 warning", "red[threadIdx.x] = a;"),
    ("early_return_before_barrier", [(100003,)], "CS409 warning", "CS409 warning", "if (i >= n) return;"),
    ("atomic_into_empty", [(100000,)], "CS410 warning", "CS410 warning", "auto out = torch::empty({1}"),
    ("side_stream_hides_work", [(64, 64)], "CS504 error", "CS504 error", "op_kernel<<<"),
    ("cache_by_pointer", [(64, 64)], "CS503 error", "CS503 error", "self.cache[key] = ext.op(x)"),
    ("ctx_attribute_leak", [(64, 64)], "CS602 warning", "CS602 warning", "ctx.x, ctx.out = x, out"),
    ("double_backward_silent", [(64, 64)], "CS602 info", "CS602 info", "def backward"),
    ("inplace_without_mark_dirty", [(128, 64)], "CS602 warning", "CS602 warning", "ext.relu_inplace(x)"),
    ("negative_dim_not_wrapped", [(8, 16, 32)], "CS412 warning", "CS412 warning", "for (int64_t d = 0; d < dim"),
    ("scan_thread_per_row", [(64, 4096)], "", "CS411 info", "for (int64_t k = 0; k < len"),
]  # fmt: skip
RIGHT = [
    ("atomic_into_zeros", (1000,)),
    ("manual_pybind_only", (64, 64)),
    ("uniform_branch_barrier", (256, 1000)),
    ("softmax_tiny_values", (32, 40000)),
    ("early_return_no_barrier", (64, 64)),
    ("int_index_bounded", (64, 64)),
]


def problem(*shapes: tuple[int, ...]) -> Capture:
    """A problem whose forward is called with tensors of these sizes."""
    inputs = tuple(Value(f"x{i}", s, tuple(map(str, s)), "float32") for i, s in enumerate(shapes))
    return captured(Graph(inputs, (), (), Ref("x0")))


@functools.cache
def text(name: str) -> str:
    return (DATA / f"{name}.py.txt").read_text()


def about_kernels(source: str, sizes: Capture | None = None) -> list[Finding]:
    """What the rules on kernels, launches and gradients say; nothing may be undecided."""
    result = check(Candidate(source), "default", problem=sizes)
    assert not [u for u in result.undecided if ABOUT_KERNELS.fullmatch(u.code)]
    return [f for f in result.findings if ABOUT_KERNELS.fullmatch(f.code)]


def stands_on(finding: Finding, source: str) -> str:
    assert finding.span is not None
    return source.split("\n")[finding.span.line - 1].strip()


@pytest.mark.parametrize(("name", "shapes", "free", "known", "line"), REPORTED, ids=[r[0] for r in REPORTED])
def test_a_reported_kernel_is_told_at_its_line(
    name: str, shapes: list[tuple[int, ...]], free: str, known: str, line: str
) -> None:
    for wanted, sizes in ((free, None), (known, problem(*shapes))):
        found = about_kernels(text(name), sizes)
        told = [f for f in found if f"{f.code} {f.severity}" == wanted]
        assert bool(told) == bool(wanted)
        assert all(stands_on(f, text(name)).startswith(line) for f in told)


@pytest.mark.parametrize(("name", "shape"), RIGHT, ids=[r[0] for r in RIGHT])
def test_a_right_kernel_that_looks_alike_is_silent(name: str, shape: tuple[int, ...]) -> None:
    assert about_kernels(text(name)) == []
    assert about_kernels(text(name), problem(shape)) == []


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("grid_y_limit", [(65535, 64), (64,)]),
        ("block_equals_feature_dim", [(64, 1024)]),
        ("dynamic_smem_over_48k", [(32, 8192)]),
        ("int32_index_overflow", [(2**31,)]),
        ("zero_size_launch", [(1, 16)]),
    ],
)
def test_sizes_that_keep_the_limit_drop_the_warning(name: str, shapes: list[tuple[int, ...]]) -> None:
    assert about_kernels(text(name), problem(*shapes)) == []


def test_a_grid_that_is_rounded_down_leaves_elements_unwritten() -> None:
    source = text("zero_size_launch").replace("(n + 255) / 256", "n / 256")
    told = {n: [f.message for f in about_kernels(source, problem((n,)))] for n in (1000, 1024)}
    assert told[1024] == []
    assert len(told[1000]) == 1 and "232 elements of y are never written" in told[1000][0]


def as_candidate(source: str) -> str:
    """A CUDA text as the source of a Python file; its first line is line 3."""
    head = 'from torch.utils.cpp_extension import load_inline\ncuda = r"""\n'
    return f'{head}{source}"""\next = load_inline(name="planted", cpp_sources=[], cuda_sources=[cuda])\n'


def test_correct_kernels_of_the_emulator_are_silent() -> None:
    found = about_kernels(as_candidate((PLANTED / "clean.cu").read_text()))
    assert [f for f in found if f.severity != "info"] == []


def test_planted_races_between_passes_and_barriers_not_reached_are_told() -> None:
    source = as_candidate((PLANTED / "races.cu").read_text())
    lines = {stands_on(f, source) for f in about_kernels(source)}
    for bug in ("reuse EM203", "matmul EM203", "branch_barrier EM201", "loop_barrier EM201"):
        assert any(bug in line for line in lines)
    assert (
        "if (threadIdx.x >= n) return;" in lines
    )  # the cause of early_return, whose symptom is at the barrier
