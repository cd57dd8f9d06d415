import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

CUDA_SRC = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>
__global__ void cumsum_kernel(const float* x, float* y, int64_t outer, int64_t len, int64_t inner) {
  int64_t t = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= outer * inner) return;
  int64_t o = t / inner, in = t % inner;
  float a = 0.f;
  for (int64_t k = 0; k < len; ++k) {
    int64_t p = (o * len + k) * inner + in;
    a += x[p];
    y[p] = a;
  }
}

torch::Tensor cumsum(torch::Tensor x_in, int64_t dim) {
  TORCH_CHECK(x_in.is_cuda());
  c10::cuda::CUDAGuard guard(x_in.device());
  auto x = x_in.contiguous();
  auto y = torch::empty_like(x);
  if (x.numel() == 0) return y;
  int64_t outer = 1, inner = 1, len = x.size(dim);
  for (int64_t d = 0; d < dim; ++d) outer *= x.size(d);
  for (int64_t d = dim + 1; d < x.dim(); ++d) inner *= x.size(d);
  int64_t n = outer * inner;
  cumsum_kernel<<<(unsigned)((n + 127) / 128), 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), outer, len, inner);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

CPP_SRC = r"""torch::Tensor cumsum(torch::Tensor x_in, int64_t dim);"""

ext = load_inline(name="r81_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=['cumsum'])


class Model(nn.Module):
    def forward(self, x):
        return torch.cumsum(x, dim=-1)


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.cumsum(x, -1)


def get_inputs():
    return [torch.randn(8, 16, 32, device="cuda")]


def get_init_inputs():
    return []
