import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#else
__global__ void k(float* y) { y[0] = 1; }
'''
cpp_src = '\n'
mod = load_inline(
    name='no_endif_else',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
