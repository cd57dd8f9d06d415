import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <curand_kernel.h>
__global__ void k(float* y) { y[0] = 1.f; }
'''
cpp_src = '\n'
mod = load_inline(
    name='curand_header_missing',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
