"""Blocks that wait for one another on memory take turns; where none can go on, the wait is told and does not hang."""

from __future__ import annotations

import types
from pathlib import Path

import pytest
import torch

from cudasmith import emulator

SOURCE = (Path(__file__).parent / "spinning_kernels.cu").read_text()
MODES, ORDERS = ("fast", "checked"), ("forward", "reverse", "random")
both = pytest.mark.parametrize("mode", MODES)


def module(mode: str) -> types.ModuleType:
    return emulator.load_inline(f"spinning_{mode}", [], [SOURCE])


def zeros(n: int, dtype: torch.dtype = torch.int32) -> torch.Tensor:
    return torch.zeros(n, dtype=dtype)


def _right(made: types.ModuleType, order: str) -> None:
    for how in (0, 1, 2):
        a = torch.rand(300)
        kept = torch.nn.functional.pad(a, (0, 20)).view(5, 64).flip(1).flatten()[:300]
        expected = a
        for _ in range(4):
            expected = (expected.roll(1) + expected + expected.roll(-1)) / 3
        made.smooth(a, torch.zeros(300), zeros(1), 4, 5, how)
        torch.testing.assert_close(a, expected + kept)
    x, y = torch.rand(320), torch.zeros(320)
    for ordered in (True, False):
        made.scan(x, y, torch.zeros(10), zeros(10), zeros(1), ordered)
        torch.testing.assert_close(y, x.cumsum(0))
    y = torch.zeros(50)
    made.handed(y, torch.zeros(1), zeros(1))
    assert y.tolist() == list(range(50))
    total = zeros(1)
    made.locked(zeros(1), zeros(1), total, 7)
    assert total.item() == 7
    y = torch.zeros(6)
    made.bound(torch.full((1,), 2000, dtype=torch.int32), y)
    assert y.unique().tolist() == [2000.0]


@both
@pytest.mark.parametrize("order", ORDERS)
def test_blocks_that_wait_take_turns(mode: str, order: str) -> None:
    with emulator.installed(mode=mode, order=order, devices=False):  # type: ignore[arg-type]
        _right(module(mode), order)
        assert emulator.detected() == []
        said = "kernel smooth_kernel: races within a block across a point where it waited for another block"
        assert any(text.startswith(said) for text in emulator.coverage().unchecked) == (mode == "checked")


def test_a_grid_barrier_of_more_blocks_than_run_at_once_is_a_deadlock() -> None:
    with emulator.installed(mode="checked", target="t4", devices=False):
        blocks = 40 * 16
        x = torch.zeros(64 * blocks)
        module("checked").smooth(x.clone(), x, zeros(1), 1, blocks, 0)
        assert emulator.detected() == []
        with pytest.raises(
            emulator.EmulatorFault, match=r"640 blocks spin.* 1 block cannot begin.* 640 at once"
        ) as caught:
            module("checked").smooth(x.clone(), x, zeros(1), 1, blocks + 1, 0)
        assert caught.value.finding.code == "EM208"
        (found,) = emulator.detected()
        assert "(volatile unsigned*)arrived < goal" in SOURCE.splitlines()[found.at.line - 1]


@pytest.mark.parametrize("how", [0, 1])
def test_a_wait_for_what_nobody_writes_is_told_at_its_line(how: int) -> None:
    with emulator.installed(mode="checked", devices=False):
        with pytest.raises(
            emulator.EmulatorFault,
            match="deadlock: 2 blocks spin on memory that nothing in this launch writes",
        ):
            module("checked").never(zeros(1), how)
        (found,) = emulator.detected()
        assert f"if (how == {how}" in SOURCE.splitlines()[found.at.line - 1]


@pytest.mark.parametrize("how", [0, 1, 2, 3])
def test_a_wait_that_ends_by_itself_is_no_deadlock(how: int) -> None:
    """By a count in a register, by one in memory, by a clock of the device or of C."""
    flag = zeros(11)
    with emulator.installed(mode="checked", devices=False):
        module("checked").patient(flag, zeros(2), how)
        assert emulator.detected() == [] and flag[10] == 2


@pytest.mark.parametrize("how", [4, 5, 6])
def test_a_deadlock_is_told_whatever_the_loop_reads_and_stores_again(how: int) -> None:
    with (
        emulator.installed(mode="checked", devices=False),
        pytest.raises(emulator.EmulatorFault, match="deadlock: 2 blocks spin"),
    ):
        module("checked").patient(zeros(11), zeros(2), how)
