"""Atomics, barriers, pipelines and asynchronous copies of libcu++ and cooperative groups."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from cudasmith import emulator

Module = types.ModuleType
SOURCE = Path(__file__).parent / "libcu_kernels.cu"


@pytest.fixture(scope="module")
def libcu(load: Callable[[str], Module]) -> Module:
    return load("libcu")


def _atomics(module: Module) -> None:
    out, total = torch.zeros(6, dtype=torch.int32), torch.zeros(1)
    assert module.atomics(out, total) >= 1
    assert out.tolist() == [192, 189, 255, 7, 3 * 164, 2**31 - 1]
    assert total.item() == 96
    x, parts, done, y = torch.randn(128), torch.zeros(128), torch.zeros(1, dtype=torch.int32), torch.zeros(1)
    module.last(x, parts, done, y)
    torch.testing.assert_close(y[0], 2 * x.sum())


def _copies(module: Module) -> None:
    x, y = torch.randn(100), torch.zeros(100)
    module.copy(x, y)
    assert torch.equal(y, torch.cat([x[:64].flip(0), x[64:] + 1]))
    x, y = torch.randn(5, 32), torch.zeros(5, 32)
    module.staged(x, y, False)
    assert torch.equal(y, x)
    module.staged(x, y, True)
    assert torch.equal(y, x.flip(1))
    x, y = torch.randn(64), torch.zeros(64)
    module.barrier(x, y, 64)
    assert torch.equal(y, (x.flip(0) + 1).roll(-1))


def test_results(libcu: Module) -> None:
    _atomics(libcu)
    _copies(libcu)


@pytest.mark.parametrize("order", ["forward", "random"])
def test_checked_mode_has_nothing_to_tell_of_right_uses(order: str) -> None:
    with emulator.installed(mode="checked", devices=False, order=order):  # type: ignore[arg-type]
        module = emulator.load_inline("libcu", [], [SOURCE.read_text()])
        _atomics(module)
        _copies(module)
        assert emulator.detected() == []
        assert emulator.coverage().unchecked == ()


def test_a_copy_that_nobody_waits_for_has_not_arrived(libcu: Module) -> None:
    y = torch.zeros(64)
    libcu.not_waited(torch.randn(64), y)
    assert y.isnan().all()


def test_a_barrier_that_expects_others_is_told(libcu: Module) -> None:
    x, y = torch.randn(64), torch.zeros(64)
    with pytest.raises(emulator.EmulatorFault, match="16 more threads must arrive, and none of them can"):
        libcu.barrier(x, y, 80)


def test_what_is_missing_is_named() -> None:
    source = "#include <torch/extension.h>\n#include <cuda/std/atomic>\n__global__ void k(int* x) {\n"
    source += "  cuda::std::latch l(3);\n}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n"
    with pytest.raises(emulator.EmulatorBuildError) as caught:
        emulator.load_inline("missing", [], [source])
    assert str(caught.value) == "cuda_sources[0]:4: the emulator does not have cuda::std::latch"
