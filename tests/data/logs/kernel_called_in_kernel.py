import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void inner(float* y) { y[0] = 1; }
__global__ void k(float* y) { inner(y); }
'''
cpp_src = '\n'
mod = load_inline(
    name='kernel_called_in_kernel',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
