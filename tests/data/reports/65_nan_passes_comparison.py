import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

CUDA_SRC = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>
__global__ void ln_kernel(const float* __restrict__ x, float* __restrict__ y, int cols) {
  __shared__ float s1[256], s2[256];
  const float* xr = x + (int64_t)blockIdx.x * cols;
  float a = 0.f, q = 0.f;
  for (int c = threadIdx.x; c < cols; c += 256) { a += xr[c]; q += xr[c] * xr[c]; }
  s1[threadIdx.x] = a;
  s2[threadIdx.x] = q;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) { s1[threadIdx.x] += s1[threadIdx.x + s]; s2[threadIdx.x] += s2[threadIdx.x + s]; }
    __syncthreads();
  }
  float mean = s1[0] / cols, var = s2[0] / cols - mean * mean;
  float inv = rsqrtf(var + 1e-5f);
  for (int c = threadIdx.x; c < cols; c += 256) y[(int64_t)blockIdx.x * cols + c] = (xr[c] - mean) * inv;
}

torch::Tensor ln(torch::Tensor x_in) {
  TORCH_CHECK(x_in.is_cuda() && x_in.dim() == 2);
  c10::cuda::CUDAGuard guard(x_in.device());
  auto x = x_in.contiguous();
  auto y = torch::empty_like(x);
  if (x.numel() == 0) return y;
  ln_kernel<<<(unsigned)x.size(0), 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), (int)x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

CPP_SRC = r"""torch::Tensor ln(torch::Tensor x_in);"""

ext = load_inline(name="r65_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=['ln'])


class Model(nn.Module):
    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.ln(x)


def get_inputs():
    return [torch.randn(8, 1000, device="cuda") * 0.05 + 3000.0]


def get_init_inputs():
    return []
