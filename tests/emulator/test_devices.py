"""Host memory in the hands of a kernel is told; what was moved, made on cuda or computed there is not."""

from __future__ import annotations

import functools
import os
import types
from collections.abc import Callable

import numpy
import pytest
import torch

from cudasmith import emulator
from cudasmith.emulator.rewrite import rewrite

CUDA = r"""
__global__ void plus_kernel(const float* x, const float* y, float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + (y == nullptr ? 0 : y[i]);  // access
}
__global__ void first_kernel(const float* x, float* z, int n, const float* unused) { z[threadIdx.x] = x[threadIdx.x]; }
static torch::Tensor sum_into(torch::Tensor x, torch::Tensor y, torch::Tensor z) {
  const int n = x.numel();
  plus_kernel<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), z.data_ptr<float>(), n);
  return z;
}
torch::Tensor plus(torch::Tensor x, torch::Tensor y) { return sum_into(x, y, torch::empty_like(x)); }
torch::Tensor plus_where_it_lies(torch::Tensor x, torch::Tensor y) {
  if (!x.is_cuda()) return x + y;
  TORCH_CHECK(x.device().is_cuda() && x.device().type() == torch::kCUDA && x.get_device() == 0);
  TORCH_CHECK(y.is_cuda(), "y must be a CUDA tensor");
  return plus(x, y);
}
torch::Tensor made(torch::Tensor x, int64_t how) {
  const auto cuda = torch::TensorOptions().dtype(torch::kFloat).device(torch::kCUDA);
  const int64_t n = x.numel();
  torch::Tensor y;
  if (how == 0) y = torch::zeros({n}, x.options());
  if (how == 1) y = torch::zeros({n}, cuda);
  if (how == 2) y = torch::zeros({n}).to(x.device());
  if (how == 3) y = torch::ones({n}).cuda() * 2;
  if (how == 4) y = torch::zeros_like(x);
  if (how == 5) y = torch::zeros({n}, torch::TensorOptions().device(x.device()));
  if (how == 10) y = torch::zeros({n});
  if (how == 11) y = torch::zeros({n}, torch::kFloat32);
  if (how == 12) y = torch::ones({n}, torch::TensorOptions().device(torch::kCPU)) * 2;
  if (how == 13) y = torch::zeros_like(x).cpu();
  return plus(x, y);
}
bool moved_in_place(torch::Tensor x) {
  const torch::Device device(torch::kCUDA, 0);
  const int index = 0;
  const auto a = x.to(device), b = x.to(c10::Device(c10::DeviceType::CUDA, index)), c = x.to({at::kCUDA, 0});
  return a.data_ptr() == x.data_ptr() && b.data_ptr() == x.data_ptr() && c.data_ptr() == x.data_ptr();
}
torch::Tensor untouched(torch::Tensor x, torch::Tensor y) {
  auto z = torch::empty_like(x);
  first_kernel<<<1, x.numel()>>>(x.data_ptr<float>(), z.data_ptr<float>(), x.numel(), y.data_ptr<float>());
  return z;
}
torch::Tensor from_vector(torch::Tensor x, bool copied) {
  std::vector<float> values(x.numel(), 1.0f);
  auto z = torch::empty_like(x);
  float* there = values.data();
  if (copied) {
    cudaMalloc(&there, values.size() * 4);
    cudaMemcpy(there, values.data(), values.size() * 4, cudaMemcpyHostToDevice);
  }
  plus_kernel<<<1, 64>>>(x.data_ptr<float>(), there, z.data_ptr<float>(), x.numel());
  if (copied) cudaFree(there);
  return z;
}
torch::Tensor copied_back(torch::Tensor x, bool right) {
  std::vector<float> values(x.numel());
  cudaMemcpy(values.data(), x.data_ptr<float>(), values.size() * 4, right ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
  return x;
}
"""
FUNCTIONS = [
    "plus",
    "plus_where_it_lies",
    "made",
    "moved_in_place",
    "untouched",
    "from_vector",
    "copied_back",
]
DECLARATIONS = "\n".join(
    line.partition("{")[0] + ";"
    for line in CUDA.splitlines()
    if line.startswith(("torch::Tensor ", "bool ")) and line.split("(")[0].split()[-1] in FUNCTIONS
)
N = 8


@functools.cache
def module() -> types.ModuleType:
    return emulator.load_inline(
        name="devices", cpp_sources=DECLARATIONS, cuda_sources=CUDA, functions=FUNCTIONS
    )


def cuda() -> torch.Tensor:
    return torch.rand(N, device="cuda")


class Holder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(N, N)
        self.register_buffer("constant", torch.arange(N, dtype=torch.float32))
        self.forgotten = torch.ones(N)


def under_a_device() -> torch.Tensor:
    with torch.device("cuda"):
        return torch.zeros(N)


def under_a_default_device() -> torch.Tensor:
    torch.set_default_device("cuda")
    try:
        return torch.zeros(N)
    finally:
        torch.set_default_device(None)


ON_CUDA: dict[str, Callable[[], torch.Tensor]] = {
    "made there": cuda,
    "index": lambda: torch.zeros(N, device=0),
    "moved": lambda: torch.zeros(N).cuda(),
    "moved by name": lambda: torch.zeros(N).to("cuda:0"),
    "moved by device": lambda: torch.zeros(N).to(torch.device("cuda"), torch.float32),
    "moved by number": lambda: torch.zeros(N).to(0),
    "moved to another's": lambda: torch.zeros(N).to(cuda()),
    "moved to a device's": lambda: torch.zeros(N).to(cuda().device),
    "from numpy": lambda: torch.from_numpy(numpy.ones(N, "float32")).cuda(),
    "from a list": lambda: torch.tensor([1.0] * N, device="cuda"),
    "from a tensor": lambda: torch.as_tensor(torch.ones(N), device="cuda"),
    "alike": lambda: torch.ones_like(cuda()),
    "alike elsewhere": lambda: torch.ones_like(torch.ones(N), device="cuda"),
    "new": lambda: cuda().new_ones(N),
    "computed": lambda: (cuda() + 1) * torch.tensor(2.0),
    "view": lambda: torch.zeros(2 * N).cuda()[:N],
    "there and back": lambda: cuda().cpu().cuda(),
    "parameter": lambda: Holder().to("cuda").inner.bias.detach(),
    "buffer": lambda: Holder().cuda().constant,
    "indexed by the host": lambda: cuda()[torch.arange(N)],
    "copied": lambda: torch.empty(N, device="cuda").copy_(torch.ones(N)),
    "pinned": lambda: torch.empty(N, pin_memory=False).cuda().fill_(1.0),
    "under a device": under_a_device,
    "under a default device": under_a_default_device,
}
ON_THE_HOST: dict[str, Callable[[], torch.Tensor]] = {
    "made": lambda: torch.zeros(N),
    "named": lambda: torch.zeros(N, device="cpu"),
    "computed": lambda: torch.zeros(N) + 1,
    "view": lambda: torch.zeros(N, 2).view(-1)[:N],
    "attribute": lambda: Holder().cuda().forgotten,
    "not moved": lambda: Holder().inner.bias.detach(),
    "moved back": lambda: cuda().cpu(),
    "moved back by name": lambda: cuda().to("cpu"),
    "from numpy": lambda: torch.from_numpy(numpy.ones(N, "float32")),
    "alike": lambda: torch.ones_like(torch.ones(N)),
}


@pytest.mark.parametrize("how", ON_CUDA)
def test_memory_of_the_device_is_used_in_silence(how: str) -> None:
    with emulator.installed(mode="checked"):
        x, y = cuda(), ON_CUDA[how]()
        assert y.is_cuda and y.device.type == "cuda" and y.get_device() == 0
        for function in (module().plus, module().plus_where_it_lies):
            assert torch.equal(function(x, y), x + y)
        assert emulator.detected() == [] and emulator.coverage().unchecked == ()


@pytest.mark.parametrize("how", ON_THE_HOST)
def test_memory_of_the_host_ends_the_kernel_that_touches_it(how: str) -> None:
    with emulator.installed(mode="checked"):
        x, y = cuda(), ON_THE_HOST[how]()
        assert not y.is_cuda and y.device.type == "cpu" and y.get_device() == -1
        with pytest.raises(emulator.EmulatorFault, match="argument 2 of the kernel"):
            module().plus(x, y)
        (found,) = emulator.detected()
        assert found.code == "EM113" and "// access" in CUDA.splitlines()[found.at.line - 1]
        with pytest.raises(RuntimeError, match="y must be a CUDA tensor"):
            module().plus_where_it_lies(x, y)
        assert torch.equal(module().plus_where_it_lies(y, y), y + y)  # by its branch for the host
        assert torch.equal(module().untouched(x, y), x)


@pytest.mark.parametrize("how", [0, 1, 2, 3, 4, 5, 10, 11, 12, 13])
def test_tensors_made_in_the_host_code_lie_where_their_options_say(how: int) -> None:
    with emulator.installed(mode="checked"):
        if how < 10:
            module().made(cuda(), how)
            assert emulator.detected() == []
            return
        with pytest.raises(emulator.EmulatorFault, match="host memory"):
            module().made(cuda(), how)


def test_a_vector_must_be_copied() -> None:
    with emulator.installed(mode="checked"):
        x = cuda()
        assert torch.equal(module().from_vector(x, True), x + 1)
        module().copied_back(x, True)
        assert emulator.detected() == []
        with pytest.raises(emulator.EmulatorFault, match="host memory: read of 4 bytes of what the host"):
            module().from_vector(x, False)


def test_the_direction_of_a_copy_is_told_at_its_line() -> None:
    with emulator.installed(mode="checked"):
        module().copied_back(cuda(), False)
        (found,) = emulator.detected()
        assert found.code == "EM114" and "cudaMemcpy(values" in CUDA.splitlines()[found.at.line - 1]


def test_operators_refuse_two_devices_in_torchs_words() -> None:
    with emulator.installed(mode="checked"):
        x = cuda()
        for wrong in (lambda: x + torch.zeros(N), lambda: torch.cat([x, torch.zeros(1)])):
            with pytest.raises(RuntimeError, match="at least two devices, cuda:0 and cpu"):
                wrong()
        assert (x + torch.tensor(1.0)).is_cuda and (2 * x).is_cuda
        torch.zeros(N).copy_(x)
        x[torch.arange(2)] = 0


@pytest.mark.parametrize("mode", ["fast", "checked"])
def test_a_tensor_on_the_device_is_not_copied_to_a_numbered_one(mode: str) -> None:
    with emulator.installed(mode=mode):  # type: ignore[arg-type]
        made = emulator.load_inline(f"numbered_{mode}", DECLARATIONS, CUDA, functions=FUNCTIONS)
        assert made.moved_in_place(cuda())


def test_a_device_named_in_cpp_text_is_the_one_where_tensors_are() -> None:
    text = """
      auto a = x.to(torch::Device("cuda:0")); auto b = torch::zeros(3, torch::dtype(torch::kFloat).device(torch::kCUDA, 0));
      auto c = x.to(torch::kCUDA, torch::kHalf); auto d = f(at::kCUDA, 3); std::puts("cuda"); Device e{DeviceType::CUDA, (int)i};
    """
    assert rewrite(text).replace("CUDASMITH_CUDA_", "") == text.replace('"cuda:0"', 'NAME("cuda:0")').replace(
        "kCUDA, 0", "kCUDA, INDEX(0)"
    ).replace("DeviceType::CUDA, (int)i", "DeviceType::CUDASMITH_CUDA, INDEX((int)i)")


def test_generators_and_seeds_of_the_device() -> None:
    with emulator.installed(mode="checked"):
        x = cuda()
        for device in ("cuda", x.device, torch.device("cuda", 0)):
            made = torch.Generator(device=device).manual_seed(5)
            first = torch.rand(4, device=x.device, generator=made)
            assert made.device == x.device and isinstance(made, torch.Generator) and first.is_cuda
            assert torch.equal(
                first, torch.rand(4, device="cuda", generator=torch.Generator("cuda").manual_seed(5))
            )
        assert torch.Generator().device.type == "cpu" and isinstance(torch.default_generator, torch.Generator)
        for seed in (torch.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all):
            seed(7)
            first, state = cuda(), torch.cuda.get_rng_state()
            second = cuda()
            seed(7)
            assert torch.equal(first, cuda())
            torch.cuda.set_rng_state(state)
            assert torch.equal(second, cuda())


@pytest.mark.skipif(
    not os.environ.get("CUDASMITH_SLOW_TESTS"), reason="two minutes; set CUDASMITH_SLOW_TESTS"
)
def test_torchs_own_headers_leave_it_open() -> None:
    with emulator.installed(mode="checked"):
        text = CUDA.replace(
            "static torch::Tensor sum_into", "#define USED at::linalg_norm\nstatic torch::Tensor sum_into"
        )
        text += "\ntorch::Tensor norm(torch::Tensor x) { return at::linalg_vector_norm(x); }\n"
        heavy = emulator.load_inline(
            name="devices_heavy", cpp_sources=DECLARATIONS, cuda_sources=text, functions=FUNCTIONS
        )
        heavy.plus(cuda(), torch.zeros(N))
        assert emulator.detected() == [] and "on which device" in emulator.coverage().unchecked[0]
        assert heavy.moved_in_place(cuda())
