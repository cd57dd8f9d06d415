import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y, int n) {
  int i = threadIdx.x;
  if (i < n)
    y[i] = 0;
    y[i] += 1;
  else
    y[i] = 2;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='else_without_if',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
