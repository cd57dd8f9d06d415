import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

CUDA_SRC = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>
__global__ void partial_kernel(const float* __restrict__ x, float* __restrict__ part, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) part[blockIdx.x] = s[0];
}

torch::Tensor total(torch::Tensor x_in) {
  TORCH_CHECK(x_in.is_cuda());
  c10::cuda::CUDAGuard guard(x_in.device());
  auto x = x_in.contiguous();
  int n = (int)x.numel();
  if (n == 0) return torch::zeros({}, x.options());
  int blocks = (n + 255) / 256;
  auto part = torch::empty({blocks}, x.options());
  partial_kernel<<<blocks, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), part.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return part.sum();
}
"""

CPP_SRC = r"""torch::Tensor total(torch::Tensor x_in);"""

ext = load_inline(name="r47_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=['total'])


class Model(nn.Module):
    def forward(self, x):
        return x.sum()


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.total(x)


def get_inputs():
    return [torch.rand(1003, device="cuda")]


def get_init_inputs():
    return []
