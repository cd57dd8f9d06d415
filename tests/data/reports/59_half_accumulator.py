import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

CUDA_SRC = r"""
#include <cuda_fp16.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>
__global__ void hsum_kernel(const __half* __restrict__ x, __half* __restrict__ y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  __half a = __float2half(0.f);
  for (int c = 0; c < cols; ++c) a = __hadd(a, x[(int64_t)r * cols + c]);
  y[r] = a;
}

torch::Tensor row_sum(torch::Tensor x_in) {
  TORCH_CHECK(x_in.is_cuda() && x_in.dim() == 2 && x_in.scalar_type() == torch::kHalf);
  c10::cuda::CUDAGuard guard(x_in.device());
  auto x = x_in.contiguous();
  auto y = torch::empty({x.size(0)}, x.options());
  if (x.size(0) == 0) return y;
  hsum_kernel<<<(unsigned)((x.size(0) + 127) / 128), 128, 0, at::cuda::getCurrentCUDAStream()>>>(
      (const __half*)x.data_ptr<at::Half>(), (__half*)y.data_ptr<at::Half>(), (int)x.size(0), (int)x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

CPP_SRC = r"""torch::Tensor row_sum(torch::Tensor x_in);"""

ext = load_inline(name="r59_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=['row_sum'])


class Model(nn.Module):
    def forward(self, x):
        return x.sum(-1)


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.row_sum(x)


def get_inputs():
    return [torch.rand(4, 16384, device="cuda").half()]


def get_init_inputs():
    return []
