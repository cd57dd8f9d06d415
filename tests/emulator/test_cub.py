"""cub gives what its documentation defines, leaves undefined what it does not, and its misuse is told."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from cudasmith import emulator

Module = types.ModuleType
SOURCE = Path(__file__).parent / "cub_kernels.cu"


@pytest.fixture(scope="module")
def cub(load: Callable[[str], Module]) -> Module:
    return load("cub")


def _ints(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, dtype=torch.int32)


def _stats(cub: Module) -> None:
    x = torch.randn(3, 333)
    expected = torch.stack([x.mean(1), x.amax(1), -x.amax(1), x.var(1, correction=0)], 1)
    for algorithm in range(3):
        out = torch.zeros(3, 4)
        cub.stats(x, out, algorithm)
        torch.testing.assert_close(out, expected)


def _norm(cub: Module) -> None:
    x = torch.randn(4, 300)
    for threads in (32, 50, 300, 1024):
        y = torch.zeros_like(x)
        cub.norm(x, y, threads)
        torch.testing.assert_close(y, x / x.square().mean(1, keepdim=True).sqrt())


def _dynamic(cub: Module) -> None:
    x, y = torch.rand(64), torch.zeros(64)
    cub.dynamic(x, y)
    torch.testing.assert_close(y, x.cumsum(0) / x.sum())


def _arg(cub: Module) -> None:
    x, out, where = torch.randn(64), torch.zeros(64), _ints(1)
    x[5] = x[9] = 10  # the first of two
    for n in (64, 40, 7):
        cub.arg(x, out, where, n)
        assert where.item() == 5
        torch.testing.assert_close(out[0], x[:n].sum())
        assert out[1:].isnan().all()


def _running(cub: Module) -> None:
    for which in range(3):
        x = torch.randint(-9, 9, (1000,), dtype=torch.int32)
        y = torch.zeros_like(x)
        cub.running(x, y, which)
        assert torch.equal(y, x.cumsum(0, dtype=torch.int32)), which


def _scan(cub: Module) -> None:
    x, y = torch.randint(-9, 9, (72,), dtype=torch.int32), _ints(72, 10)
    cub.scan(x, y)
    values = x.tolist()
    for t, row in enumerate(y.tolist()):
        before, mine = values[:t], values[t]
        assert row == [
            sum(before),
            sum(values),
            max([*before, mine]),
            max([-5, *before]),
            max(values),
            min(before, default=-1),  # undefined in the first thread
            sum(before) + t,
            sum(before) + t + mine,
            sum(before) + t + mine,
            sum(values) + 72,
        ], t


def _warp(cub: Module) -> None:
    x, y = torch.randn(64), torch.zeros(64, 6)
    cub.warp(x, y)
    for w in (0, 32):
        mine = x[w : w + 32]
        part = y[w : w + 32]
        torch.testing.assert_close(part[0, 0], mine.sum())
        assert part[0, 1] == mine[:5].max()
        assert part[1:, :2].isnan().all()
        torch.testing.assert_close(part[::8, 2], mine.view(4, 8).sum(1))
        torch.testing.assert_close(part[:, 3], mine.cumsum(0))
        torch.testing.assert_close(part[:, 4], 100 + mine.cumsum(0) - mine)
        assert (part[:, 5] == mine[3]).all()


def _sort(cub: Module) -> None:
    for keys in (torch.randn(192), torch.randint(-20, 20, (192,), dtype=torch.int32)):
        for down in (False, True):
            k, v = keys.clone(), torch.arange(192, dtype=torch.int32)
            cub.sort(k, v, down)
            expected, order = keys.sort(descending=down, stable=True)
            assert torch.equal(k, expected)
            assert torch.equal(v, order.int())


def _shuffle(cub: Module) -> None:
    x, y = torch.arange(48, dtype=torch.int32) * 3, _ints(48, 4)
    cub.shuffle(x, y)
    # Striped, thread t has the items t and t + 48; ranks turn all around.
    item = {95 - 2 * t: t for t in range(48)} | {94 - 2 * t: t + 48 for t in range(48)}
    for t, row in enumerate(y.tolist()):
        assert row == [3 * (t - 2) if t >= 2 else -7, 3 * ((t + 5) % 48), t + 48, item[2 * t]]


def _whole(cub: Module) -> None:
    n = 5000
    x = torch.randn(n)
    out, scanned, ordered, order, counts = (
        torch.zeros(3),
        torch.zeros(2 * n),
        torch.zeros(2 * n),
        torch.arange(n, dtype=torch.int32).repeat(2),
        _ints(10),
    )
    cub.whole(x, out, scanned, ordered, order, counts)
    torch.testing.assert_close(out, torch.stack([x.sum(), x.max(), x.min()]))
    torch.testing.assert_close(scanned[:n], x.cumsum(0), rtol=1e-4, atol=1e-4)
    assert torch.equal(scanned[n + 1 :], x.cummax(0).values[:-1])
    expected, indices = x.sort(descending=True, stable=True)
    assert torch.equal(ordered[:n], expected)
    assert torch.equal(order[n:], indices.int())
    assert torch.equal(ordered[n:], x.sort().values)
    assert counts[:6].tolist() == [5, 0, 2, 4, 6, 8]
    sums, offsets = torch.zeros(3), torch.tensor([0, 7, 7, n], dtype=torch.int32)
    cub.segments(x, offsets, sums)
    torch.testing.assert_close(sums, torch.stack([x[:7].sum(), torch.tensor(0.0), x[7:].sum()]))


USES = (_stats, _norm, _dynamic, _arg, _running, _scan, _warp, _sort, _shuffle, _whole)


@pytest.mark.parametrize("use", USES)
def test_results_are_those_of_the_documentation(cub: Module, use: Callable[[Module], None]) -> None:
    use(cub)


def test_checked_mode_has_nothing_to_tell_of_right_uses() -> None:
    with emulator.installed(mode="checked", devices=False, order="random"):
        module = emulator.load_inline("cub", [], [SOURCE.read_text()])
        for use in USES:
            use(module)
        assert emulator.detected() == []
        assert emulator.coverage().unchecked == ()


def test_storage_that_is_used_again_without_a_barrier_is_a_race() -> None:
    text = SOURCE.read_text()
    with emulator.installed(mode="checked", devices=False):
        module = emulator.load_inline("cub", [], [text])
        module.reused(torch.randn(128), torch.zeros(1))
        (race,) = emulator.detected()
    assert race.code == "EM203"
    assert "bug: no __syncthreads()" in text.splitlines()[race.at.line - 1]


def test_the_result_of_a_reduction_is_the_first_threads_alone(cub: Module) -> None:
    x, y = torch.randn(128), torch.zeros(128)
    cub.all_threads(x, y)
    torch.testing.assert_close(y[0], x.sum())
    assert y[1:].isnan().all()


def test_another_block_size_and_a_thread_that_left_are_faults(cub: Module) -> None:
    x, y = torch.randn(128), torch.zeros(1)
    with pytest.raises(
        emulator.EmulatorFault, match="is for blocks of 128 x 1 x 1 threads, and this block has 64 x 1 x 1"
    ):
        cub.other_size(x, y)
    with pytest.raises(emulator.EmulatorFault, match="32 threads exited"):
        cub.left(x, y)


def test_temporary_storage_and_arrays_are_bounded(cub: Module) -> None:
    x, y = torch.randn(128), torch.zeros(1)
    with pytest.raises(emulator.EmulatorFault, match="invalid argument"):
        cub.little(x, y)
    with pytest.raises(emulator.EmulatorFault, match="out-of-bounds read") as caught:
        cub.too_many(x, y)
    assert "cub::DeviceReduce::Sum" in str(caught.value)


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("using H = cub::BlockHistogram<int, 32, 1, 8>;", "cub::BlockHistogram"),
        (
            "cub::WarpReduce<float>(*(cub::WarpReduce<float>::TempStorage*)0).HeadSegmentedSum(1.f, 0);",
            "cub::WarpReduce::HeadSegmentedSum",
        ),
    ],
)
def test_what_is_missing_of_cub_is_named(code: str, missing: str) -> None:
    source = "#include <torch/extension.h>\n#include <cub/cub.cuh>\n__global__ void k() {\n"
    source += f"  {code}\n}}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{}}\n"
    with pytest.raises(emulator.EmulatorBuildError) as caught:
        emulator.load_inline("missing", [], [source])
    assert str(caught.value) == f"cuda_sources[0]:4: the emulator does not have {missing}"
