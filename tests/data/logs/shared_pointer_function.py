import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__device__ void f(float* v) { v[0] = 1; }
__global__ void k(float* y) { f(y[0]); }
'''
cpp_src = '\n'
mod = load_inline(
    name='shared_pointer_function',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
