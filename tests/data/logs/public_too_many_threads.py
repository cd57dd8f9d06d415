import torch
from torch.utils.cpp_extension import load_inline

cuda = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>

__global__ void scale_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.f * x[i];
}

torch::Tensor scale(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  if (n == 0) return y;
  scale_kernel<<<(n + 2047) / 2048, 2048>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("scale", "torch::Tensor scale(torch::Tensor x);", cuda, functions=["scale"])


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return ext.scale(x)
