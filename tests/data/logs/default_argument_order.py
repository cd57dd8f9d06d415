import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y, int n = 4, float s) { y[0] = n * s; }
'''
cpp_src = '\n'
mod = load_inline(
    name='default_argument_order',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
