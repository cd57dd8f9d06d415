"""Whose fault an error is: only what does not depend on the headers counts against a source."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudasmith.hostapi import judge
from cudasmith.hostapi.judge import not_the_users
from cudasmith.hostapi.torch_files import torch_in


@pytest.mark.parametrize(
    "log",
    [
        'cuda.cu(7): error: expected a ";"\n    int n = x\n',
        '/tmp/a/cuda.cu(3): error: identifier "fooo" is undefined\n',
        "main.cpp:5:3: error: 'fooo' was not declared in this scope\n",
        "cuda_sources[0]:5:3: error: expected ';' before 'x'\n",
        'cuda.cu(9): error: identifier "inptu" is undefined\n    auto y = torch::empty_like(inptu);\n',
        'cuda.cu(9): error: no suitable conversion function from "at::Tensor" to "const float *" exists\n    k<<<1, 2>>>(x);\n',
        'cuda.cu(9): error: argument of type "at::Tensor" is incompatible with parameter of type "float *"\n    k(x);\n',
        "main.cpp:9:3: error: cannot convert ‘at::Tensor’ to ‘const float*’\n",
        'cuda.cu(3): error: no instance of overloaded function "atomicAdd" matches the argument list\n'
        "            argument types are: (c10::Half *, c10::Half)\n    atomicAdd(p, at::Half(1));\n",
        'cuda.cu(5): error: name followed by "::" must be a class or namespace name\n'
        "    k<<<1, 2, 0, at::cuda::getCurrentCUDAStream()>>>(p);\n",
        'cuda.cu(5): error: identifier "C10_CUDA_KERNEL_LAUNCH_CHECK" is undefined\n    C10_CUDA_KERNEL_LAUNCH_CHECK();\n',
        "cuda.cu(9): error: this declaration has no storage class or type specifier\n  PYBIND11_MODULE(foo, m){ }\n",
        "main.cpp:5:3: error: ‘cudaDeviceSynchronize’ was not declared in this scope\n",
        "main.cpp:3:1: error: ‘__global__’ does not name a type\n    3 | __global__ void k(torch::Tensor x) {}\n",
        "cuda.cu(4): error: extended character “ is not valid in an identifier\n  TORCH_CHECK(n > 0, “empty”);\n",
        "main.cpp:4:3: error: stray ‘\\342’ in program\n    4 |   TORCH_CHECK(n > 0, “empty”);\n",
        "ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x10000 bytes, 0xc000 max)\n",
    ],
)
def test_an_error_that_any_headers_would_give_is_the_sources(log: str) -> None:
    assert not_the_users(log, log) == ""


@pytest.mark.parametrize(
    "log",
    [
        'cuda.cu(7): error: class "at::Tensor" has no member "softmax"\n',
        'cuda.cu(7): error: namespace "torch" has no member "einsum"\n',
        "main.cpp:5:3: error: 'softmax' is not a member of 'torch::nn'\n  torch::nn::softmax(x)\n",
        "/x/light/cudasmith/tensor.h(9): error: static assertion failed\n",
        "main.cpp:5:3: error: ‘softmax’ was not declared in this scope\n    5 |   auto y = softmax(x, 0);\n",
        'cuda.cu(3): error: identifier "usleep" is undefined\n',
        'cuda.cu(5): error: name followed by "::" must be a class or namespace name\n    at::indexing::Slice();\n',
        'cuda.cu(9): error: no suitable conversion function from "at::Tensor" to "c10::Scalar" exists\n    f(x);\n',
        'cuda.cu(9): error: no instance of overloaded function "gpuAtomicAdd" matches the argument list\n    at::Half\n',
        "#include <cuda_more.h>\nmain.cpp:5:3: error: ‘cudaThing’ was not declared in this scope\n",
        'cuda.cu(3): error: identifier "TORCH_ARG" is undefined\n',
        "something that no compiler says\n",
        "",
    ],
)
def test_an_error_that_speaks_of_torch_proves_nothing(log: str) -> None:
    assert not_the_users(log, log) != ""


def test_a_name_may_come_from_a_namespace_that_the_source_opens() -> None:
    log = 'cuda.cu(3): error: identifier "fooo" is undefined\n'
    assert not_the_users(log, "using namespace at;\n") != ""


TYPE_LOGS = (
    'cuda.cu(9): error: no suitable conversion function from "at::DeprecatedTypeProperties" to "c10::ScalarType" exists\n',
    'cuda.cu(9): error: no suitable conversion function from "const at::DeprecatedTypeProperties" to "c10::ScalarType" exists\n',
    "main.cpp:5:3: error: cannot convert ‘at::DeprecatedTypeProperties’ to ‘const c10::ScalarType’ in initialization\n",
)


@pytest.mark.parametrize("log", TYPE_LOGS)
@pytest.mark.parametrize(
    ("header", "certain"),
    [
        ("inline at::ScalarType scalar_type(at::ScalarType s) { return s; }", True),
        ("inline at::ScalarType scalar_type(const at::DeprecatedTypeProperties& t);", False),
        (None, False),
    ],
)
def test_a_type_as_dtype_is_wrong_where_torchs_dispatch_takes_none(
    log: str, header: str | None, certain: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "include" / "ATen").mkdir(parents=True)
    (tmp_path / "version.py").write_text("__version__ = '2.0'\n")
    if header is not None:
        (tmp_path / "include" / "ATen" / "Dispatch.h").write_text(header)
    torch = torch_in(tmp_path)
    monkeypatch.setattr(judge, "torch_files", lambda: torch)
    assert (not_the_users(log, log) == "") is certain
