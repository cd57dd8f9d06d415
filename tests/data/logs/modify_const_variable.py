import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  const int n = 4;
  n += 1;
  y[0] = n;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='modify_const_variable',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
