"""The light headers refuse what torch's own refuse: each line was given to both (torch 2.13)."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from cudasmith.hostapi.compiler import find_compiler
from cudasmith.hostapi.library import light_includes

REFUSED = """
AT_DISPATCH_FLOATING_TYPES(x.type(), "f", [&] {});
at::ScalarType t = x.type();
if (x.type() == torch::kFloat) {}
switch (x.type()) { default: break; }
takes_type(x.type());
auto r = x + "a";
at::Scalar s = "a";
at::Scalar s = (float*)nullptr;
x.fill_("a");
auto a = x.packed_accessor32<float, 2, torch::RestrictPtrTraits>();
auto a = torch::ones({2}).accessor<float, 1>();
auto a = torch::ones({2}).packed_accessor32<float, 1>();
auto a = torch::ones({2}).packed_accessor64<float, 1>();
const auto a = x.accessor<float, 2>(); a[0][0] = 1;
const auto a = x.packed_accessor32<float, 2>(); a[0][0] = 1;
torch::Tensor z; z = {};
torch::NoGradGuard g, h; g = h;
AT_DISPATCH_ALL_TYPES(x.scalar_type(), 3, [&] {});
AT_DISPATCH_ALL_TYPES(x.scalar_type(), std::string("a"), [&] {});
const char* n = "f"; AT_DISPATCH_ALL_TYPES(x.scalar_type(), n, [&] {});
if (true) TORCH_CHECK(x.dim() == 2, "a"); else {}
"""
ACCEPTED = """
auto r = torch::empty({1}, x.type());
if (x.type() == y.type() || x.type() != y.type()) {}
at::Scalar s = true; s = 1; s = 2.0f;
x.fill_(true);
x.fill_(y);
auto a = x.contiguous(); auto b = a.accessor<float, 2>(); b[0][0] = 1; float f = b[0][0];
const auto a = x.accessor<float, 2>(); float f = a[0][0] + a[0].size(0);
auto a = x.packed_accessor32<float, 2>(); a[0][0] = 1;
auto a = x.fill_(0).accessor<float, 1>();
torch::Tensor& r = x.add_(1).zero_().copy_(y);
torch::Tensor z; z = {x}; z = torch::Tensor();
x -= 1; x /= 2;
AT_DISPATCH_ALL_TYPES(x.scalar_type(), __func__, [&] {});
constexpr const char* n = "f"; AT_DISPATCH_ALL_TYPES(x.scalar_type(), n, [&] {});
if (x.dim()) TORCH_CHECK(x.dim() == 2, "a");
TORCH_CHECK(x.dim() == 2, "a") TORCH_CHECK(x.dim() == 3)
"""
BEGIN = "#include <torch/extension.h>\nvoid takes_type(at::ScalarType);\n"


def wrong_lines(folder: Path, begin: str, lines: str, *options: str) -> list[str]:
    """The lines that the compiler refuses, each the body of a function."""
    bodies = lines.strip().split("\n")
    made = [
        f'void f{i}(torch::Tensor x, torch::Tensor y) {{\n#line {i + 1} "probe"\n{b}\n}}'
        for i, b in enumerate(bodies)
    ]
    (folder / "probe.cpp").write_text(begin + "\n".join(made))
    command = [find_compiler().path, "-std=c++17", "-fsyntax-only", "-DCSM_WITH_STRING", "-DCSM_HOST"]
    command += [
        "-include",
        "string",
        "-ftemplate-backtrace-limit=0",
        *options,
        *light_includes(),
        "probe.cpp",
    ]
    log = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stderr
    failed = {
        int(n) for n in re.findall(r"^probe:(\d+):\d+: (?:error|  required from here)", log, re.MULTILINE)
    }
    assert (" error: " in log) == bool(failed), log
    return [b for i, b in enumerate(bodies) if i + 1 in failed]


def test_what_torchs_headers_refuse_is_refused(tmp_path: Path) -> None:
    assert wrong_lines(tmp_path, BEGIN, REFUSED) == REFUSED.strip().split("\n")


def test_what_looks_like_it_and_is_right_is_accepted(tmp_path: Path) -> None:
    assert wrong_lines(tmp_path, BEGIN, ACCEPTED) == []


def test_data_is_deprecated(tmp_path: Path) -> None:
    line = "x.data<float>();"
    assert wrong_lines(tmp_path, BEGIN, line, "-Werror=deprecated-declarations") == [line]


@pytest.mark.parametrize(
    "header, line",
    [
        ("c10/cuda/CUDAStream.h", "at::cuda::CUDAGuard g(0);"),
        ("ATen/cuda/CUDAContext.h", "at::cuda::CUDAGuard g(0);"),
        ("c10/cuda/CUDAGuard.h", "AT_CUDA_CHECK(cudaGetLastError());"),
        ("c10/cuda/CUDAGuard.h", "at::cuda::getCurrentDeviceProperties();"),
        ("c10/cuda/CUDAGuard.h", "at::cuda::CUDAGuard g(0), h(0); g = h;"),
        ("c10/cuda/CUDAStream.h", "at::cuda::CUDAStream s(nullptr, 0);"),
    ],
)
def test_a_header_of_cuda_gives_no_more_than_torchs(header: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "cuda_runtime_api.h").write_text(
        "#pragma once\ntypedef int cudaError_t; const int cudaSuccess = 0; typedef struct S* cudaStream_t;\n"
        "int cudaGetLastError(); int cudaStreamSynchronize(cudaStream_t); struct cudaDeviceProp { int warpSize; };\n"
    )
    begin = f"{BEGIN}#include <{header}>\n"
    good = "cudaStream_t s = at::cuda::getCurrentCUDAStream(); C10_CUDA_CHECK(cudaGetLastError());"
    both = wrong_lines(tmp_path, begin, f"{line}\n{good}", f"-I{tmp_path}")
    assert both == [line]
