"""Which of a compiler's errors is told, where its caret stands, and what a fix makes of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.diagnoses._compile import own_error
from cudasmith.diagnoses._log import Log
from cudasmith.diagnoses._place import spot
from cudasmith.model import Candidate
from cudasmith.model.finding import Fix
from cudasmith.stages.diagnose import diagnose

LOGS = Path(__file__).parents[1] / "data" / "logs"


def loaded(name: str) -> tuple[str, Candidate]:
    path = LOGS / f"{name}.py"
    return (LOGS / f"{name}.txt").read_text(), Candidate(path.read_text(), str(path))


def applied(text: str, fix: Fix) -> list[str]:
    """The lines of the file after the fix that differ from those before."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    span = fix.span
    end = starts[(span.end_line or span.line) - 1] + (span.end_column or span.column) - 1
    new = text[: starts[span.line - 1] + span.column - 1] + fix.text + text[end:]
    return [line.strip() for line in new.split("\n") if line not in lines]


@pytest.mark.parametrize(
    ("log", "lines"),
    [
        ("missing_semicolon", ["int i = blockIdx.x*blockDim.x+threadIdx.x;"]),
        ("struct_without_semicolon", ["struct Pair { float a; float b; };"]),
        ("prose_in_cuda", ["// Here is the optimized CUDA kernel:"]),
        ("fence_in_cuda", []),
        ("newline_in_plain_string", ["cuda_src = r'''"]),
        ("wrong_case_builtin", ["int i = threadIdx.x + blockidx.x * blockdim.x;"]),
        ("unknown_type", ["#include <cuda_fp16.h>"]),
        ("shuffle_without_sync", ["v += __shfl_down_sync(0xffffffff, v, 16);"]),
        ("missing_typename_keyword", ["typename Acc<T>::type s = 0;"]),
        ("lambda_capture_missing", ["auto f = [=](float v) { return v * s; };"]),
        ("dispatch_on_type", ['AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "run", [&] {']),
        ("kernel_returns_value", ["__global__ void k(float* y) { return y[0]; }"]),
        ("warp_size_constant", ["__shared__ float s[32];"]),
        (
            "shared_initialiser",
            ["__shared__ float total; if (threadIdx.x == 0) total = 0.f; __syncthreads();"],
        ),
        ("nvcc_wall", ["extra_cuda_cflags=['-Xcompiler', '-Wall'],"]),
        ("name_with_dash", ['name="relu_forward",']),
    ],
)
def test_a_fix_writes_the_line_right(log: str, lines: list[str]) -> None:
    text, candidate = loaded(log)
    fix = diagnose(text, candidate)[0].fix
    assert fix is not None
    assert applied(candidate.text, fix) == lines


def test_an_error_behind_a_syntax_error_is_not_believed() -> None:
    text = '/x/cuda.cu(3): error: expected a ";"\n/x/cuda.cu(4): error: too few arguments in function call'
    assert own_error(Log(text), "too few") is None
    assert own_error(Log(text.split("\n")[1]), "too few") is not None


def test_an_error_in_a_header_is_not_the_users() -> None:
    assert own_error(Log('/x/torch/Tensor.h(3): error: expected a ";"'), "expected") is None


def test_the_other_source_is_read_although_the_first_is_broken() -> None:
    text = "/x/main.cpp:3:1: error: expected declaration\n/x/cuda.cu(4): error: too few arguments in function call"
    assert own_error(Log(text), "too few") is not None


def test_the_caret_is_found_behind_an_expanded_macro() -> None:
    text, candidate = loaded("struct_without_semicolon")
    log = Log(text)
    place = spot(log, log.said[0], candidate)
    assert place is not None and place.caret is not None
    assert place.text[place.caret - place.start :].startswith("void k(")
