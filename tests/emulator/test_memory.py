"""Symbols, shared memory, atomics, accessors and the runtime API."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import types
from collections.abc import Callable

import pytest
import torch

from cudasmith import emulator

Module = types.ModuleType


@pytest.fixture(scope="module")
def memory(load: Callable[[str], Module]) -> Module:
    return load("memory")


def test_constants_globals_and_managed_memory(memory: Module) -> None:
    for by in (2.0, 3.0):
        assert memory.symbols(by).tolist() == [by * v + 10 for v in range(1, 9)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_shared_memory_of_every_shape(memory: Module, dtype: torch.dtype) -> None:
    x = torch.randn(9, 9, dtype=dtype)
    expected = x.t().reshape(-1) + 24 * (torch.arange(81) % 16).to(dtype)
    torch.testing.assert_close(memory.shapes(x).view(-1), expected)


def test_printf_and_clocks(memory: Module, capfd: pytest.CaptureFixture[str]) -> None:
    out = torch.zeros(8, dtype=torch.int32)
    memory.say(8, out)
    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == "thread 1 of block says 1.50\n"
    assert out.tolist() == [1] * 8


def test_a_failed_assert_and_a_trap_are_faults_of_their_thread(memory: Module) -> None:
    with pytest.raises(emulator.EmulatorFault) as caught:
        memory.say(5, torch.zeros(8, dtype=torch.int32))
    finding = caught.value.finding
    assert finding.code == "EM111"
    assert finding.message.endswith("threadIdx.x < n")
    assert finding.notes[1] == "block (0, 0, 0), thread (5, 0, 0)"
    with pytest.raises(emulator.EmulatorFault) as caught:
        memory.trap(3)
    assert caught.value.finding.code == "EM110"
    memory.trap(9)


def test_atomics_of_every_type(memory: Module) -> None:
    def zeros(n: int, dtype: torch.dtype) -> torch.Tensor:
        return torch.zeros(n, dtype=dtype)

    i, u = zeros(8, torch.int32), zeros(6, torch.int32)
    i[4] = -1
    wide, signed = zeros(5, torch.int64), zeros(3, torch.int64)
    wide[2] = 7
    f, d = zeros(4, torch.float32), zeros(1, torch.float64)
    h, h2 = zeros(1, torch.float16), zeros(2, torch.float16)
    b, b2, f4 = zeros(1, torch.bfloat16), zeros(2, torch.bfloat16), zeros(4, torch.float32)
    memory.atomics([i, u, wide, signed, f, d, h, h2, b, b2, f4])
    assert i.tolist() == [64, -96, -31, 31, 0, -1, 0, 9]
    assert u.tolist() == [32 % 6, 4, 32, sum(range(32)), 32, 31]
    assert wide.tolist() == [32 << 40, 31 << 33, 8, 4, (2**32 - 1) << 20]
    assert signed.tolist() == [-(31 << 33), 31, 0]
    assert f.tolist() == [8.0, 2.0, 31.0, 16.0]
    assert (d.item(), h.item(), h2.tolist()) == (4.0, 32.0, [32.0, 64.0])
    assert (b.item(), b2.tolist(), f4.tolist()) == (16.0, [32.0, -32.0], [32.0, 64.0, 96.0, 128.0])


def test_atomics_that_cuda_lacks_are_refused() -> None:
    for call in ("atomicMax(f, 1.0f)", "atomicAdd(s, (short)1)", "atomicSub(f, 1.0f)", "atomicAdd(l, 1L)"):
        source = "#include <torch/extension.h>\n__global__ void k(float* f, short* s, int64_t* l) {\n"
        source += f"  {call};\n}}\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{}}\n"
        with pytest.raises(emulator.EmulatorBuildError) as caught:
            emulator.load_inline(name="refused", cpp_sources=[], cuda_sources=[source])
        assert caught.value.line == 3, call


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64])
def test_packed_accessors_in_a_macro_in_a_dispatch(memory: Module, dtype: torch.dtype) -> None:
    x = torch.arange(300 * 4).view(4, 300).t().to(dtype)
    assert torch.equal(memory.accessors(x), (x * x.stride(1)).sum(1))
    with pytest.raises(RuntimeError, match="expected 2 dims but tensor has 1"):
        memory.accessors(x[0])


def test_a_host_program_with_the_runtime_api(memory: Module) -> None:
    first, second, last, timed, too_much, twice = memory.program(200, 0)
    assert (first, second, last, timed, too_much, twice) == (0.0, 1 + 2 + 3 + 3, 1 + 2 + 3, 1, 1, 1)
    kernels = [launch.kernel for launch in emulator.launches()]
    assert kernels == ["add_one"] * 3
    with pytest.raises(emulator.EmulatorFault, match="past the end of a cudaMalloc block of 256 bytes"):
        memory.program(64, 65)


def test_a_tensors_device_is_the_emulated_one(memory: Module) -> None:
    assert memory.sms_of(torch.zeros(1), 0) == 132
    with pytest.raises(emulator.EmulatorFault, match="invalid device ordinal"):
        memory.sms_of(torch.zeros(1), 3)


def test_error_texts(memory: Module) -> None:
    assert memory.error_text(1) == "cudaErrorInvalidValue: invalid argument"
    assert memory.error_text(700) == "cudaErrorIllegalAddress: an illegal memory access was encountered"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("h200", [90, 132, 227 * 1024, 8, 264 * 10000 + 1024, 1, 140]),
        ("a100", [80, 108, 163 * 1024, 7, 216 * 10000 + 1024, 1, 80]),
        ("rtx4090", [89, 128, 99 * 1024, 4, 256 * 10000 + 768, 0, 24]),
        ("t4", [75, 40, 64 * 1024, 3, 40 * 10000 + 1024, 0, 16]),
    ],
)
def test_properties_limits_and_occupancy_of_a_named_target(
    memory: Module, target: str, expected: list[int]
) -> None:
    with emulator.installed(target=target):
        assert memory.device_numbers() == expected
        properties = torch.cuda.get_device_properties(0)
        assert properties.multi_processor_count == expected[1]
        assert torch.cuda.get_device_capability() == divmod(expected[0], 10)


_PEAK = """
import resource, torch
from cudasmith import emulator

source = '''
__global__ void k(const float* x, float* y) { long i = blockIdx.x * 256L + threadIdx.x; y[i] = 2 * x[i]; }
void f(torch::Tensor x, torch::Tensor y) { k<<<x.numel() / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>()); }
'''
with emulator.installed(mode="checked"):
    module = emulator.load_inline("peak", "void f(torch::Tensor x, torch::Tensor y);", source, functions=["f"])
    x = torch.ones(16 << 20, device="cuda")
    module.f(x, torch.empty_like(x))
    assert emulator.detected() == []
    assert emulator.coverage().unchecked == ()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_checked_mode_takes_a_small_multiple_of_the_tensors_memory() -> None:
    done = subprocess.run([sys.executable, "-c", _PEAK], capture_output=True, text=True, check=True)
    tensors = 2 * (64 << 20)
    assert int(done.stdout) * 1024 < 3 * tensors + (500 << 20)
