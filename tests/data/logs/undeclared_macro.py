import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) { CUDA_CHECK(y[0]); y[0] = M_PI + FLT_MAX; }
'''
cpp_src = '\n'
mod = load_inline(
    name='undeclared_macro',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
