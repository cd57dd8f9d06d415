import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  int i = threadIdx.x;
  int i = blockIdx.x;
  y[i] = 1.f;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='redeclared_variable',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
