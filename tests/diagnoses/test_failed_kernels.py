"""The line of a kernel or of its launch that a CUDA error is told at."""

from __future__ import annotations

import pytest

from cudasmith.model import Candidate
from cudasmith.stages.diagnose import diagnose

HOST = """torch::Tensor f(torch::Tensor x) {
    int n = x.numel();
    auto y = torch::empty_like(x);
    k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}"""
KERNEL = """__global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}"""


def told(kernel: str, host: str, error: str) -> str:
    """The line that the error is told at."""
    text = (
        "from torch.utils.cpp_extension import load_inline\n"
        f'src = r"""\n{kernel}\n{host}\n"""\n'
        'm = load_inline(name="m", cpp_sources="torch::Tensor f(torch::Tensor x);", cuda_sources=src, functions=["f"])\n'
    )
    span = diagnose(f"torch.AcceleratorError: CUDA error: {error}\n", Candidate(text))[0].span
    return text.split("\n")[span.line - 1].strip() if span is not None else ""


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("if (i < n)", "if (i <= n)", "if (i <= n) y[i] = x[i];"),
        ("if (i < n) y", "y", "y[i] = x[i];"),
        ("= x[i];", "= x[i + 1];", "if (i < n) y[i] = x[i + 1];"),
        ("x[i]", "x[i * n * 4]", "if (i < n) y[i] = x[i * n * 4];"),
        ("x[i]", "x[i / 2]", KERNEL.split("\n")[0]),  # nothing is certain: the kernel
    ],
)
def test_an_illegal_access_is_told_at_what_is_wrong_in_the_kernel(old: str, new: str, line: str) -> None:
    assert told(KERNEL.replace(old, new, 1), HOST, "an illegal memory access was encountered") == line


def test_an_illegal_access_is_told_at_the_tensor_left_on_the_cpu() -> None:
    host = HOST.replace("torch::empty_like(x)", "torch::empty({n})")
    assert "empty({n})" in told(KERNEL, host, "an illegal memory access was encountered")


@pytest.mark.parametrize(
    ("config", "line"),
    [
        ("n / 256, 2048", "k<<<n / 256, 2048>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"),
        ("grid, block", "dim3 block(32, 64);"),
        ("dim3(1, n), 256", "k<<<dim3(1, n), 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"),
    ],
)
def test_a_refused_shape_is_told_where_it_is_written(config: str, line: str) -> None:
    host = HOST.replace("(n + 255) / 256, 256", config)
    if "block" in config:
        host = host.replace("    k<<<", "    dim3 block(32, 64);\n    dim3 grid(n / 2048);\n    k<<<")
    assert told(KERNEL, host, "invalid configuration argument") == line
