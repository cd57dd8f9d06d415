import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cmath>
float gelu(float v) { return 0.5f * v * (1.f + erff(v * 0.70710678f)); }

__global__ void gelu_k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = gelu(x[i]);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='host_function_in_device',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
