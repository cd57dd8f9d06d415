import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__device__ float f(float v) { if (v > 0) return v; }
__global__ void k(float* y) { y[0] = f(y[0]); return y; }
'''
cpp_src = '\n'
mod = load_inline(
    name='missing_return',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
