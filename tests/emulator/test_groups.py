"""Cooperative groups and warp intrinsics give the values that CUDA defines, also for parts of a warp."""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable

import pytest
import torch

from cudasmith import emulator

Module = types.ModuleType


@pytest.fixture(scope="module")
def groups(load: Callable[[str], Module]) -> Module:
    return load("groups")


def _ints(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, dtype=torch.int32)


def _ballot(lanes: list[int]) -> int:
    value = sum(1 << lane for lane in lanes)
    return value - 2**32 if value >= 2**31 else value


def test_tiles_of_tiles_and_their_collectives(groups: Module) -> None:
    out = _ints(32, 14)
    groups.tiles(out)
    for r, row in enumerate(out.tolist()):
        tile, quarter = r // 16 * 16, r // 4 * 4
        scan = sum(range(quarter, r + 1))
        expected = [
            r % 16,
            r // 16 * 100 + 2,
            (r % 16) // 4 * 100 + 4,
            quarter + 1,
            max(r - 3, tile) if r % 16 >= 3 else r,
            r + 3 if r % 16 + 3 < 16 else r,
            tile + (r % 16 ^ 9),
            _ballot([i for i in range(16) if (tile + i) % 3 == 0]),
            (tile == 16) * 10 + 1,
            sum(range(quarter, quarter + 4)),
            max(i ^ 5 for i in range(tile, tile + 16)),
            scan,
            scan - r,
            r % 8 * 100 + 8 + (0xF << (r % 16) // 4 * 4),
        ]
        assert row == expected, r


def test_coalesced_threads_are_those_of_the_branch(groups: Module) -> None:
    counter, out, masks = _ints(1), _ints(32), _ints(32)
    groups.coalesced(counter, out, masks)
    wanting = [t for t in range(32) if t % 3 == 1]
    rest = [t for t in range(32) if t % 3 != 1 and t != 5]
    assert counter.item() == len(wanting)
    assert sorted(out[wanting].tolist()) == list(range(len(wanting)))
    assert set(masks[wanting].tolist()) == {_ballot(wanting)}
    assert masks[5].item() == 1 << 5
    packed = _ballot([i for i, t in enumerate(rest) if t % 3 == 2])
    assert set(masks[rest].tolist()) == {min(rest) * 100 + packed % 7}
    for t in rest:
        part = [u for u in rest if u % 2 == t % 2]
        assert out[t].item() == t % 2 * 1000 + len(part) * 10 + part.index(t) % 10


def test_shuffles_votes_and_reductions_of_every_type(groups: Module) -> None:
    out = torch.zeros(32, 12)
    groups.shuffles(out)
    for t, row in enumerate(out.tolist()):
        best = max(range(32), key=lambda i: i * 7 % 32)
        everyone = [24 | i for i in range(32)]
        expected = [
            (t + 1 if t % 8 < 7 else t) + 0.25,
            (t ^ 2) + 0.5,
            t - 1 if t % 16 else t,
            -((t + 1) % 32),
            7,
            best + best * 2.0,
            -31 + functools.reduce(operator.xor, (1 << i % 4 for i in range(32))),
            31 + 100 * functools.reduce(operator.and_, everyone),
            1,
            0,
            t ^ 1 if t < 8 else t ^ 2,
            1,
        ]
        assert row == expected, t


def test_a_mask_may_name_lanes_that_exited_but_not_read_them(groups: Module) -> None:
    out = _ints(32)
    groups.after_exit(out, 0)
    odd = _ballot([t for t in range(20) if t % 2])
    assert out.tolist() == [odd + 20] * 20 + [0] * 12
    with pytest.raises(emulator.EmulatorFault, match=r"12 lane.s. that exited, and lane 0 reads lane 25"):
        groups.after_exit(out, 1)
    groups.exit_later(out)
    assert out[:16].tolist() == [0xFFFF] * 16


def test_a_width_that_is_no_power_of_two_is_a_fault(groups: Module) -> None:
    with pytest.raises(emulator.EmulatorFault, match="width 12 is not a power of two"):
        groups.bad_width(_ints(32))


def test_waiting_threads_let_others_run(groups: Module) -> None:
    lock, total, flag = _ints(1), _ints(1), _ints(1)
    groups.locked(lock, total, flag)
    assert total.item() == sum(range(64))


def test_shuffling_what_nvcc_has_no_overload_for_is_refused() -> None:
    source = "#include <torch/extension.h>\nstruct S { float a; };\n__global__ void k(S* s) {\n"
    source += "  s[0] = __shfl_sync(0xffffffff, s[1], 0);\n}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n"
    with pytest.raises(emulator.EmulatorBuildError) as caught:
        emulator.load_inline(name="refused", cpp_sources=[], cuda_sources=[source])
    assert caught.value.line == 4
