import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(int8_t* y, uint32_t n) { y[0] = n; }
'''
cpp_src = '\n'
mod = load_inline(
    name='int8_type',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
