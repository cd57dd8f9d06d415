"""A kernel that calls a host function of its file is refused at the call, as nvcc does; what is not certain is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.emulator.host_calls import host_calls

HERE = Path(__file__).parent
KERNEL = "__global__ void k(float* x) {\n  x[0] = twice(x[0]);\n}\n"


@pytest.mark.parametrize("head", ["float twice(float a)", "static inline float twice(const float a)"])
def test_a_call_of_a_host_function_is_refused_at_its_line(head: str) -> None:
    (refused,) = host_calls(f"{head} {{ return 2 * a; }}\n{KERNEL}", "cuda_sources[0]")
    assert refused.line == 3
    assert 'calling a __host__ function("twice(' in str(refused) and 'from a __global__ function("k")' in str(
        refused
    )


@pytest.mark.parametrize(
    "head",
    [
        "__device__ float twice(float a)",
        "__host__ __device__ float twice(float a)",
        "#define HD __host__ __device__\nHD float twice(float a)",
        "constexpr float twice(float a)",
        "template <typename T> T twice(T a)",
        "__device__ float twice(float a);\nfloat twice(float a)",
        "__device__ double twice(double a) { return a; }\nfloat twice(float a)",
    ],
)
def test_what_may_be_for_the_device_is_not_refused(head: str) -> None:
    assert list(host_calls(f"{head} {{ return 2 * a; }}\n{KERNEL}", "cuda_sources[0]")) == []


def test_a_lambda_or_a_function_of_cuda_of_that_name_is_not_refused() -> None:
    hidden = "__global__ void k(float* x) { auto twice = [](float a) { return a; }; x[0] = twice(x[0]); }"
    assert list(host_calls(f"float twice(float a) {{ return a; }}\n{hidden}", "cuda_sources[0]")) == []
    named = KERNEL.replace("twice", "fmaxf")
    assert list(host_calls(f"int fmaxf(int a) {{ return a; }}\n{named}", "cuda_sources[0]")) == []


@pytest.mark.parametrize("path", sorted(HERE.rglob("*.cu")), ids=lambda p: p.name)
def test_no_kernel_of_these_tests_is_refused(path: Path) -> None:
    assert list(host_calls(path.read_text(), "cuda_sources[0]")) == []


def test_a_function_of_one_letter_is_refused_too() -> None:
    text = f"float f(float a) {{ return a; }}\n{KERNEL.replace('twice', 'f')}"
    assert [r.line for r in host_calls(text, "cuda_sources[0]")] == [3]
