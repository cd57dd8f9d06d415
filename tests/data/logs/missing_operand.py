import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y, int n) {
  y[n] = 2.f * ;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='missing_operand',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
