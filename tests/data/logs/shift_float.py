import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y, float v) {
  int i = y;
  y[0] = v >> 1;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='shift_float',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
