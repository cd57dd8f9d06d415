"""Correct kernels give torch's values."""

from __future__ import annotations

import types

import pytest
import torch

from cudasmith import emulator

Module = types.ModuleType


def test_pointwise_kernel_with_functors_and_a_multi_line_launch(correct: Module) -> None:
    x = torch.randn(1000).cuda()
    assert torch.equal(correct.map(x, 2.5), x * x + 2.5)
    assert torch.equal(correct.map(x), x * x + 1)
    assert torch.equal(correct.map(by=0.0, x=x), x * x)


def test_launch_inside_a_user_macro(correct: Module) -> None:
    x = torch.randn(50, device="cuda")
    assert torch.equal(correct.scale(x), 3 * x)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
def test_block_reduction_with_barriers_for_every_dispatched_type(correct: Module, dtype: torch.dtype) -> None:
    x = torch.randint(-3, 4, (5, 777)).to(dtype)
    assert torch.equal(correct.row_sum(x), x.double().sum(1).to(dtype))


def test_warp_scan_also_in_a_partly_filled_block(correct: Module) -> None:
    x = torch.randint(-5, 6, (160,)).float()
    assert torch.equal(correct.scan(x), x.view(5, 32).cumsum(1).view(-1))


def test_three_dimensional_grid_and_block(correct: Module) -> None:
    z, y, x = torch.meshgrid(torch.arange(6), torch.arange(4), torch.arange(6), indexing="ij")
    assert torch.equal(correct.index3d(), (x + 100 * y + 10000 * z).int())


def test_dynamic_shared_memory_in_function_and_file_scope(correct: Module) -> None:
    x = torch.randn(1000)
    assert torch.equal(correct.reverse(x, False), x.flip(0))


def test_dynamic_shared_memory_above_48_kb_needs_the_attribute(correct: Module) -> None:
    x = torch.randn(20_000)
    with pytest.raises(emulator.EmulatorFault, match="CUDA error: invalid argument"):
        correct.reverse(x, False)
    assert torch.equal(correct.reverse(x, True), x.flip(0))
    with pytest.raises(emulator.EmulatorFault, match="CUDA error: invalid argument"):
        correct.reverse(torch.randn(60_000), True)


def test_votes_atomics_reductions_constants_and_tiles(correct: Module) -> None:
    values, histogram, total = correct.vote()
    ballot = 0xAAAAAAAA - 2**32
    lanes_of_32_to_39 = 0xFF
    expected = [
        ballot,
        10,
        1,
        0,
        lanes_of_32_to_39,
        -sum(range(32, 64)),
        63 - 40,
        sum(range(32, 40)),
        1,
        16,
        63,
    ]
    assert values.tolist() == expected
    assert histogram.tolist() == [16, 16, 16, 16]
    assert total.item() == sum([1, 2, 4][t % 3] for t in range(64))


def test_half_and_bfloat16_round_like_torch(correct: Module) -> None:
    x, u = torch.randn(64).half(), torch.randn(64).bfloat16()
    y, v = correct.halves(x, u)
    assert torch.equal(y, ((x * x).float() + 1).half())
    assert torch.equal(v, (u.double() * u.double() + 1).bfloat16())


def test_float4_and_math_functions(correct: Module) -> None:
    x = torch.randn(32, 4)
    a, b, c, d = x.unbind(1)
    expected = torch.stack([a.exp(), b.clamp(min=0.5).rsqrt(), c.erf(), d / 2], 1)
    torch.testing.assert_close(correct.vectors(x), expected, rtol=1e-6, atol=1e-7)
    assert correct.doubles().tolist() == [max(1.5, i) + min(3, i) for i in range(8)]


def test_arguments_and_results_convert_as_with_pybind(correct: Module) -> None:
    assert correct.echo([7, 8], None, "abc", 5, True) == [7, 0, 3, 5, 1]
    assert correct.echo((), torch.zeros(1), "", 0, False) == [-1, 1, 0, 0, 0]
    assert correct.twice(4) == 8.0
    assert correct.multiprocessors() == 132


@pytest.mark.parametrize(
    "args",
    [
        ([1], None, "a", 1.5, True),
        (3, None, "a", 1, True),
        ([1], 2, "a", 1, True),
        ([1],),
    ],
)
def test_a_wrong_argument_type_raises_type_error(correct: Module, args: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match=r"echo\(\): incompatible function arguments"):
        correct.echo(*args)


def test_torch_check_becomes_a_runtime_error_with_its_text(correct: Module) -> None:
    with pytest.raises(RuntimeError, match=r"^n must not be negative, got -1"):
        correct.echo([1], None, "a", -1, True)


def test_launches_are_recorded_and_reset(correct: Module) -> None:
    correct.reverse(torch.randn(100), False)
    emulator.reset()
    correct.reverse(torch.randn(100), False)
    (launch,) = emulator.launches()
    assert (launch.kernel, launch.grid, launch.block, launch.shared_bytes) == (
        "reverse_dynamic",
        (1, 1, 1),
        (128, 1, 1),
        400,
    )


def test_skipped_kernels_are_recorded_but_write_nothing(correct: Module) -> None:
    with emulator.installed(skip_kernels=True):
        result = correct.scale(torch.ones(8))
    assert torch.isnan(result).all()
    assert [launch.kernel for launch in emulator.launches()] == ["scale_kernel<N>"]


def test_blocks_and_threads_run_in_the_order_asked_for() -> None:
    source = """__global__ void k(int* next, int* y) { y[atomicAdd(next, 1)] = blockIdx.x * 100 + threadIdx.x; }
void f(torch::Tensor next, torch::Tensor y) { k<<<4, 64>>>(next.data_ptr<int>(), y.data_ptr<int>()); }"""
    module = emulator.load_inline("order", "void f(torch::Tensor, torch::Tensor);", source, functions=["f"])

    def ran(order: str, seed: int = 0) -> list[int]:
        with emulator.installed(order=order, seed=seed):  # type: ignore[arg-type]
            y = torch.zeros(256, dtype=torch.int32)
            module.f(torch.zeros(1, dtype=torch.int32), y)
        return y.tolist()

    forward = [100 * block + thread for block in range(4) for thread in range(64)]
    assert ran("forward") == forward
    assert ran("reverse") == forward[::-1]
    assert ran("random", 1) == ran("random", 1)
    assert ran("random", 1) != ran("random", 2)
    assert sorted(ran("random", 3)) == forward
