import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__device__ float f(float v, float s = 1.f);
__device__ float f(float v, float s = 1.f) { return v * s; }
'''
cpp_src = '\n'
mod = load_inline(
    name='duplicate_default',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
