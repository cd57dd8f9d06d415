import torch
from torch.utils.cpp_extension import load_inline

cuda = r"""
#include <torch/extension.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
torch::Tensor f(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<__nv_bfloat16>(), y.data_ptr<__nv_bfloat16>(), n);
  return y;
}
"""
cpp = "torch::Tensor f(torch::Tensor x);"
m = load_inline(name="dp", cpp_sources=cpp, cuda_sources=cuda, functions=["f"])
