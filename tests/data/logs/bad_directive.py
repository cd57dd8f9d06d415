import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#defin TILE 16
__global__ void k(float* y) { y[0] = TILE; }
'''
cpp_src = '\n'
mod = load_inline(
    name='bad_directive',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
