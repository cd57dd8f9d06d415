"""Blocks of a cooperative launch meet at grid.sync() with all that they hold; a grid that cannot meet is told."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from cudasmith import emulator

Module = types.ModuleType
SOURCE = Path(__file__).parent / "cooperative_kernels.cu"


@pytest.fixture(scope="module")
def cooperative(load: Callable[[str], Module]) -> Module:
    return load("cooperative")


def _smoothed(a: torch.Tensor, steps: int) -> torch.Tensor:
    for _ in range(steps):
        a = (a.roll(1) + a + a.roll(-1)) / 3
    return a


def _softmax(module: Module) -> None:
    for dtype in (torch.float32, torch.float64):
        for n in (40, 64, 1000):
            x, y = torch.randn(n, dtype=dtype), torch.zeros(n, dtype=dtype)
            module.softmax(x, y)
            torch.testing.assert_close(y, x.softmax(0))


def _smooth(module: Module, blocks: int, threads: int, n: int = 500, steps: int = 4) -> None:
    a, b = torch.randn(n), torch.zeros(n)
    expected = _smoothed(a, steps)
    module.smooth(a, b, steps, blocks, threads)
    torch.testing.assert_close(a if steps % 2 == 0 else b, expected)


@pytest.mark.parametrize("order", ["forward", "reverse", "random"])
def test_blocks_keep_registers_and_shared_memory(cooperative: Module, order: str) -> None:
    with emulator.installed(order=order):  # type: ignore[arg-type]
        _softmax(cooperative)
        for blocks, threads in ((1, 33), (7, 64), (64, 128)):
            _smooth(cooperative, blocks, threads)


def test_a_block_on_every_multiprocessor(cooperative: Module) -> None:
    _smooth(cooperative, 132, 256, n=40_000)
    _smooth(cooperative, 5, 32)  # and ordinary stacks after it


@pytest.mark.parametrize("order", ["forward", "random"])
def test_checked_mode_has_nothing_to_tell_of_right_uses(order: str) -> None:
    with emulator.installed(mode="checked", devices=False, order=order):  # type: ignore[arg-type]
        module = emulator.load_inline("cooperative", [], [SOURCE.read_text()])
        _softmax(module)
        _smooth(module, 9, 64)
        assert emulator.detected() == []
        assert emulator.coverage().unchecked == ()


def test_a_race_between_blocks_is_told_before_the_grid_meets() -> None:
    text = SOURCE.read_text()
    with emulator.installed(mode="checked", devices=False):
        module = emulator.load_inline("cooperative", [], [text])
        module.wrong(torch.zeros(128), torch.zeros(128), 0)
        found = emulator.detected()
    assert {d.code for d in found} == {"EM204"}
    lines = text.splitlines()
    for one in found:
        assert one.other is not None
        assert any("bug: of another block" in lines[place.line - 1] for place in (one.at, one.other))


def test_a_plain_launch_does_not_meet(cooperative: Module) -> None:
    x = torch.ones(64)
    cooperative.is_valid(x)
    assert x[0] == 0
    for blocks in (1, 2):
        with pytest.raises(
            emulator.EmulatorFault, match=r"in a kernel that cudaLaunchCooperativeKernel did not launch"
        ):
            cooperative.plain(x, x.clone(), blocks)


def test_blocks_and_threads_that_do_not_come_are_told(cooperative: Module) -> None:
    a, b = torch.zeros(128), torch.zeros(128)
    with pytest.raises(
        emulator.EmulatorFault, match=r"2 blocks wait at the grid.sync\(\) of line \d+, 1 block exited"
    ):
        cooperative.wrong(a, b, 1)
    with pytest.raises(
        emulator.EmulatorFault,
        match=r"24 threads wait at the grid.sync\(\) of line \d+, 8 threads wait at the __syncthreads\(\)",
    ):
        cooperative.wrong(a, b, 2)
    _smooth(cooperative, 4, 32)  # nothing is left of them


def test_a_grid_that_is_not_resident_is_refused(cooperative: Module) -> None:
    assert cooperative.limits(torch.zeros(16), 1) == [2, 720, 720, 3]
    with pytest.raises(emulator.EmulatorFault, match="more than 135168 threads does not meet"):
        cooperative.limits(torch.zeros(16), 0)
    with pytest.raises(emulator.EmulatorFault, match="too many blocks in cooperative launch"):
        cooperative.smooth(torch.zeros(8), torch.zeros(8), 1, 5000, 1024)
