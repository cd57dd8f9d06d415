import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

CUDA_SRC = r"""
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAException.h>
__global__ void bias_kernel(const float* x, const float* b, float* y, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int64_t r = blockIdx.y;
  if (c < cols) y[r * cols + c] = x[r * cols + c] + b[c];
}

torch::Tensor add_bias(torch::Tensor x_in, torch::Tensor b_in) {
  TORCH_CHECK(x_in.is_cuda() && b_in.is_cuda() && x_in.dim() == 2);
  c10::cuda::CUDAGuard guard(x_in.device());
  auto x = x_in.contiguous();
  auto b = b_in.contiguous();
  auto y = torch::empty_like(x);
  if (x.numel() == 0) return y;
  dim3 grid((unsigned)((x.size(1) + 127) / 128), (unsigned)x.size(0));
  bias_kernel<<<grid, 128, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), b.data_ptr<float>(), y.data_ptr<float>(), (int)x.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""

CPP_SRC = r"""torch::Tensor add_bias(torch::Tensor x_in, torch::Tensor b_in);"""

ext = load_inline(name="r38_ext", cpp_sources=CPP_SRC, cuda_sources=CUDA_SRC, functions=['add_bias'])


class Model(nn.Module):
    def forward(self, x, b):
        return x + b


class ModelNew(nn.Module):
    def forward(self, x, b):
        return ext.add_bias(x, b)


def get_inputs():
    return [torch.randn(70000, 64, device="cuda"), torch.randn(64, device="cuda")]


def get_init_inputs():
    return []
