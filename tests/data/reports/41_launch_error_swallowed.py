import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

CUDA_SRC = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>
__global__ void rms_kernel(const float* __restrict__ x, float* __restrict__ y, int cols) {
  __shared__ float total;
  int64_t i = (int64_t)blockIdx.x * cols + threadIdx.x;
  if (threadIdx.x == 0) total = 0.f;
  __syncthreads();
  float v = x[i];
  atomicAdd(&total, v * v);
  __syncthreads();
  y[i] = v * rsqrtf(total / cols + 1e-5f);
}

torch::Tensor rms(torch::Tensor x_in) {
  TORCH_CHECK(x_in.is_cuda() && x_in.dim() == 2);
  c10::cuda::CUDAGuard guard(x_in.device());
  auto x = x_in.contiguous();
  auto y = torch::zeros_like(x);
  if (x.numel() == 0) return y;
  rms_kernel<<<(unsigned)x.size(0), (unsigned)x.size(1), 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), y.data_ptr<float>(), (int)x.size(1));
  return y;
}
"""

CPP_SRC = r"""torch::Tensor rms(torch::Tensor x_in);"""

ext = load_inline(name="r41_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=['rms'])


class Model(nn.Module):
    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5)


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.rms(x)


def get_inputs():
    return [torch.randn(64, 1536, device="cuda")]


def get_init_inputs():
    return []
