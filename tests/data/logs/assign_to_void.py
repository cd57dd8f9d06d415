import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__device__ void f(float v) {}
__global__ void k(float* y) { y[0] = f(1.f); }
'''
cpp_src = '\n'
mod = load_inline(
    name='assign_to_void',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
