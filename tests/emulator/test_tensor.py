"""Inline PTX, asynchronous copies, mbarriers and tensor-core products."""

from __future__ import annotations

import math
import types
from collections.abc import Callable

import pytest
import torch

from cudasmith import emulator
from cudasmith.emulator.rewrite import rewrite

Module = types.ModuleType
HALF, BFLOAT, FLOAT = torch.float16, torch.bfloat16, torch.float32


@pytest.fixture(scope="module")
def tensor(load: Callable[[str], Module]) -> Module:
    return load("tensor")


def _tf32(x: torch.Tensor) -> torch.Tensor:
    return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(FLOAT)


@pytest.mark.parametrize(
    ("which", "shape", "dtype", "layouts"),
    [
        (0, (16, 16, 16), HALF, "rr"),
        (1, (32, 8, 16), HALF, "cr"),
        (2, (8, 32, 16), BFLOAT, "rc"),
        (3, (16, 16, 8), FLOAT, "cc"),
        (4, (16, 16, 16), BFLOAT, "cc"),
    ],
)
def test_wmma_tiles_of_every_shape_and_layout(
    tensor: Module, which: int, shape: tuple[int, int, int], dtype: torch.dtype, layouts: str
) -> None:
    m, n, k = shape
    torch.manual_seed(which)
    a, b, c = torch.randn(m, k).to(dtype), torch.randn(k, n).to(dtype), torch.randn(m, n)
    in_memory = [
        x if layout == "r" else x.t().contiguous() for x, layout in zip((a, b), layouts, strict=True)
    ]
    d = torch.full((n, m), math.nan)
    tensor.product(which, *in_memory, c, d)
    if dtype is FLOAT:
        a, b = _tf32(a), (b.view(torch.int32) & ~0x1FFF).view(FLOAT)  # a is rounded, b truncated
    torch.testing.assert_close(d.t(), (2 * (a.double() @ b.double()) + c).float(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", [HALF, BFLOAT])
def test_cp_async_ldmatrix_and_mma(tensor: Module, dtype: torch.dtype) -> None:
    a, b = torch.randn(16, 16).to(dtype), torch.randn(16, 8).to(dtype)
    d = torch.zeros(16, 8)
    tensor.ptx(a, b, d, 1)
    torch.testing.assert_close(d, (a.double() @ b.double()).float(), rtol=1e-6, atol=1e-6)


def test_a_copy_that_nobody_waits_for_has_not_arrived(tensor: Module) -> None:
    d = torch.zeros(16, 8)
    tensor.ptx(torch.ones(16, 16).half(), torch.ones(16, 8).half(), d, 0)
    assert torch.isnan(d).all()


def test_products_of_tf32_and_double(tensor: Module) -> None:
    a, b, d = torch.randn(16, 8), torch.randn(8, 8), torch.zeros(16, 8)
    a64, b64 = torch.randn(8, 4, dtype=torch.float64), torch.randn(4, 8, dtype=torch.float64)
    d64 = torch.zeros(8, 8, dtype=torch.float64)
    tensor.more(a, b, d, a64, b64, d64)
    truncated = (a.view(torch.int32) & ~0x1FFF).view(FLOAT)
    torch.testing.assert_close(d, (truncated.double() @ _tf32(b).double()).float(), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(d64, a64 @ b64)


def test_single_instructions(tensor: Module) -> None:
    x = torch.rand(128) + 0.5
    out, ints, total = torch.zeros(32, 8), torch.zeros(33, 10, dtype=torch.int32), torch.zeros(1)
    tensor.instructions(x, out, ints, total)
    v = x.view(32, 4)
    expected = [v[:, 0].exp2(), v[:, 1].log2(), 1 / v[:, 2], v[:, 0] * v[:, 1] + 1, x[1:33], v[:, 3]]
    torch.testing.assert_close(out[:, :6], torch.stack(expected, 1))
    torch.testing.assert_close(total[0], v[:, 3].sum())
    for t, row in enumerate(ints[:32].tolist()):
        packed = (t << 16 | t + 1) >> 16 | (t + 1) << 16
        doubled = int(torch.tensor(2.0 * t).half().view(torch.int16))
        chosen = 2 if t < 3 else 8
        high = ((t << 28) & 0xFFFFFFFF) * 48 >> 32
        assert row == [t + 10000 * t, max(t, 5), packed, doubled, chosen, t ^ 3, 16, 1, t ^ 5 ^ 9, high], t


def test_mbarriers_and_named_barriers_order_producers_and_consumers(tensor: Module) -> None:
    out = torch.zeros(3, 32, dtype=torch.int32)
    tensor.phases(out)
    assert out.tolist() == [[(63 - t) * (phase + 1) for t in range(32)] for phase in range(3)]


def test_a_barrier_that_cannot_complete_is_a_fault(tensor: Module) -> None:
    with pytest.raises(emulator.EmulatorFault, match=r"no thread can complete: 2 arrivals are missing"):
        tensor.forgotten(torch.zeros(1, dtype=torch.int32))


def test_pipelined_copies_arrive_in_order(tensor: Module) -> None:
    x = torch.arange(5 * 32, dtype=torch.int32).view(5, 32)
    out = torch.zeros_like(x)
    tensor.pipelined(x, out)
    assert torch.equal(out, x.flip(1))


def test_a_product_of_half_a_warp_is_a_fault(tensor: Module) -> None:
    with pytest.raises(emulator.EmulatorFault, match="mask 0xffffffff names"):
        tensor.half_warp(torch.zeros(16, 16))


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ('asm volatile("wgmma.fence.sync.aligned;");', "wgmma.fence.sync.aligned"),
        ('asm("add.cc.u32 %0, %0, 1;" : "+r"(x));', "add.cc.u32 (its .cc)"),
        ('asm("mov.u32 %0, %%pm0;" : "=r"(x));', "the PTX operand '%%pm0'"),
        ('asm("cp.async.bulk.commit_group;");', "cp.async.bulk.commit_group"),
    ],
)
def test_unknown_ptx_is_named(statement: str, named: str) -> None:
    line = rewrite(f"__device__ void f() {{\n  unsigned x;\n  {statement}\n}}\n").splitlines()[2]
    assert line.strip().startswith('static_assert(false, "the emulator does not have ')
    assert named in line


def test_unknown_ptx_fails_at_its_line_where_the_compiler_sees_it() -> None:
    kernel = (
        "#include <torch/extension.h>\n__global__ void k() {\n@"
        '  asm volatile("wgmma.fence.sync.aligned;");\n@}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n'
    )
    shown = kernel.replace("@", "")
    hidden = kernel.replace("@", "#ifdef __CUDA_ARCH__\n", 1).replace("@", "#endif\n")
    emulator.load_inline(name="hidden", cpp_sources=[], cuda_sources=[hidden])
    with pytest.raises(emulator.EmulatorBuildError) as caught:
        emulator.load_inline(name="shown", cpp_sources=[], cuda_sources=[shown])
    expected = "cuda_sources[0]:3: the emulator does not have the PTX instruction wgmma.fence.sync.aligned"
    assert str(caught.value) == expected
    assert caught.value.unsupported


def test_asm_in_a_macro_keeps_its_lines() -> None:
    text = '#define WAIT(n) \\\n  asm volatile("cp.async.wait_group " #n \\\n ";\\n"::)\nvoid f();\n'
    rewritten = rewrite(text)
    assert rewritten.count("\n") == text.count("\n")
    assert "async_wait(::cudasmith::ptx::integer(n)" in rewritten
    assert rewritten.splitlines()[1].endswith("\\")
