"""cuBLAS: column-major products of every type and transpose, its statuses, and what is missing of it."""

from __future__ import annotations

import time
import types
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from cudasmith import emulator

Module = types.ModuleType
SOURCE = Path(__file__).parent / "cublas_kernels.cu"


@pytest.fixture(scope="module")
def cublas(load: Callable[[str], Module]) -> Module:
    return load("cublas")


def _products(cublas: Module) -> None:
    f32, f64, f16, bf16 = torch.float32, torch.float64, torch.float16, torch.bfloat16
    for dtype, out in ((f32, f32), (f64, f64), (f16, f16), (bf16, bf16), (f16, f32), (bf16, f32)):
        for ta, tb in ((False, False), (True, False), (False, True), (True, True)):
            a, b, y = (
                torch.randn(13, 37, dtype=dtype),
                torch.randn(37, 22, dtype=dtype),
                torch.randn(13, 22, dtype=out),
            )
            wide = (a.double() @ b.double()) * 1.5 + 0.25 * y.double()
            stored = (a.t().contiguous() if ta else a, b.t().contiguous() if tb else b)
            cublas.matmul(*stored, ta, tb, 1.5, 0.25, y)
            bound = {f32: 1e-5, f64: 1e-12, f16: 2e-3, bf16: 1e-2}[out]
            torch.testing.assert_close(y.double(), wide, rtol=bound, atol=bound * 8)


def _batches(cublas: Module) -> None:
    a, b = torch.randn(3, 5, 7), torch.randn(3, 7, 9)
    for how, bound in ((0, 1e-5), (1, 1e-2), (2, 1e-5)):
        y = torch.full((3, 5, 9), torch.nan)  # beta 0: not read
        cublas.batched(a, b, y, how)
        torch.testing.assert_close(y, a @ b, rtol=bound, atol=bound)
        assert (how == 1) == (not torch.allclose(y, a @ b, rtol=1e-6, atol=1e-6))  # TF32 rounds


def _vectors(cublas: Module) -> None:
    a, x, y, z = torch.randn(6, 8), torch.randn(8), torch.randn(6), torch.randn(8)
    before = x.clone()
    expected_y = 2 * (a @ x) - y
    expected_z = (2 * (a.t() @ expected_y) - z.flip(0)).flip(0)
    dot, norm, total, place = cublas.vectors(a, x, y, z)
    torch.testing.assert_close(y, expected_y)
    torch.testing.assert_close(z, expected_z)
    expected = [before.square().sum(), before.norm(), before.abs().sum(), before.abs().argmax() + 1.0]
    torch.testing.assert_close(torch.tensor([dot, norm, total, place]), torch.stack(expected))
    before[1::2] += 2 * before[::2]
    torch.testing.assert_close(x, -before)
    out = torch.zeros(8, 6)
    cublas.transpose(a, out)
    assert torch.equal(out, a.t())


def test_results_are_those_of_torch(cublas: Module) -> None:
    _products(cublas)
    _batches(cublas)
    _vectors(cublas)
    assert "cublasSgemv" in {launch.kernel for launch in emulator.launches()}


def test_checked_mode_has_nothing_to_tell_of_right_uses() -> None:
    with emulator.installed(mode="checked", devices=False):
        module = emulator.load_inline("cublas", [], [SOURCE.read_text()])
        _products(module)
        _batches(module)
        _vectors(module)
        assert emulator.detected() == []
        assert emulator.coverage().unchecked == ()


def test_wrong_arguments_have_the_status_of_cublas(cublas: Module) -> None:
    assert cublas.statuses(torch.zeros(64)) == [1, 7, 7, 7, 0, 15, 7]
    with pytest.raises(RuntimeError, match="CUBLAS_STATUS_INVALID_VALUE when calling `cublasSgemm"):
        cublas.matmul(torch.zeros(3, 2), torch.zeros(4, 1), False, False, 1.0, 0.0, torch.zeros(3, 5))


def test_a_matrix_beyond_its_tensor_is_a_fault_of_the_call(cublas: Module) -> None:
    with pytest.raises(emulator.EmulatorFault, match="out-of-bounds read") as caught:
        cublas.too_small(torch.zeros(64, 63), torch.zeros(64, 64))
    assert "kernel cublasSgemm" in str(caught.value)


def test_a_large_product_takes_no_minute(cublas: Module) -> None:
    a, y = torch.randn(768, 768), torch.zeros(768, 768)
    started = time.process_time()
    cublas.matmul(a, a, False, False, 1.0, 0.0, y)
    assert time.process_time() - started < 10
    torch.testing.assert_close(y, a @ a, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("call", ["cublasStrsm(h, 0)", "cublasLtMatmul(h)", "cublasCgemm(h, 0)"])
def test_what_is_missing_of_cublas_is_named(call: str) -> None:
    source = "#include <torch/extension.h>\n#include <cublas_v2.h>\nvoid run(cublasHandle_t h) {\n"
    source += f"  {call};\n}}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{}}\n"
    with pytest.raises(emulator.EmulatorBuildError) as caught:
        emulator.load_inline("missing", [], [source])
    assert str(caught.value) == f"cuda_sources[0]:4: the emulator does not have {call.partition('(')[0]}"


@pytest.mark.parametrize(
    ("header", "found"), [("ATen/cuda/CUDAContext.h", True), ("c10/cuda/CUDAStream.h", False)]
)
def test_cublas_is_there_where_a_header_brings_it(header: str, found: bool) -> None:
    source = f"#include <torch/extension.h>\n#include <{header}>\nbool run() {{\n  cublasHandle_t h;\n"
    source += "  return cublasCreate(&h) == CUBLAS_STATUS_SUCCESS;\n}\n"
    source += 'PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }\n'
    if found:
        assert emulator.load_inline("brought", [], [source]).run()
        return
    with pytest.raises(emulator.EmulatorBuildError):
        emulator.load_inline("brought", [], [source])
