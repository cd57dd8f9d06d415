import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(__half* y) { y[0] = __float2half(1.f); }
'''
cpp_src = '\n'
mod = load_inline(
    name='half_without_header',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
