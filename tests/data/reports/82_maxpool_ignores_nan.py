import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

CUDA_SRC = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>
__global__ void pool_kernel(const float* x, float* y, int H, int W, int OH, int OW, int64_t n) {
  int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int ow = i % OW, oh = (i / OW) % OH;
  int64_t p = i / ((int64_t)OW * OH);
  float best = -3.402823466e+38f;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      int h = oh * 2 - 0 + a, w = ow * 2 - 0 + b;
      if (h < 0 || w < 0 || h >= H || w >= W) continue;
      float v = x[(p * H + h) * W + w];
      if (v > best) best = v;
    }
  y[i] = best;
}

torch::Tensor pool(torch::Tensor x_in) {
  TORCH_CHECK(x_in.is_cuda() && x_in.dim() == 4);
  c10::cuda::CUDAGuard guard(x_in.device());
  auto x = x_in.contiguous();
  int H = x.size(2), W = x.size(3);
  int OH = H / 2, OW = W / 2;
  auto y = torch::empty({x.size(0), x.size(1), OH, OW}, x.options());
  int64_t n = y.numel();
  if (n == 0) return y;
  pool_kernel<<<(unsigned)((n + 127) / 128), 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), H, W, OH, OW, n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

CPP_SRC = r"""torch::Tensor pool(torch::Tensor x_in);"""

ext = load_inline(name="r82_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=['pool'])


class Model(nn.Module):
    def forward(self, x):
        return F.max_pool2d(x, 2)


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.pool(x)


def get_inputs():
    return [torch.randn(2, 3, 16, 16, device="cuda").masked_fill_(torch.rand(2, 3, 16, 16, device="cuda") < 0.1, float("nan"))]


def get_init_inputs():
    return []
