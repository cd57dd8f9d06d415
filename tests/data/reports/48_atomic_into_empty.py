import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

CUDA_SRC = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>
__global__ void total_kernel(const float* __restrict__ x, float* __restrict__ out, int64_t n) {
  float a = 0.f;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) a += x[i];
  for (int o = 16; o > 0; o >>= 1) a += __shfl_down_sync(0xffffffffu, a, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, a);
}

torch::Tensor total(torch::Tensor x_in) {
  TORCH_CHECK(x_in.is_cuda());
  c10::cuda::CUDAGuard guard(x_in.device());
  auto x = x_in.contiguous();
  auto out = torch::empty({1}, x.options());
  if (x.numel() == 0) return out.zero_();
  total_kernel<<<128, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}
"""

CPP_SRC = r"""torch::Tensor total(torch::Tensor x_in);"""

ext = load_inline(name="r48_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=['total'])


class Model(nn.Module):
    def forward(self, x):
        return x.sum().reshape(1)


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.total(x)


def get_inputs():
    return [torch.rand(1000, device="cuda")]


def get_init_inputs():
    return []
