import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) { y[0] = 1.f; }
'''
cpp_src = '\n'
mod = load_inline(
    name='nvcc_host_option',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
    extra_cuda_cflags=['-march=native'],
)
