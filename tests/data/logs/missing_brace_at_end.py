import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  y[0] = 1.f;
'''
cpp_src = '\n'
mod = load_inline(
    name='missing_brace_at_end',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
