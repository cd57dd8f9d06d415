import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include torch/extension.h
__global__ void k(float* y) { y[0] = 1; }
'''
cpp_src = '\n'
mod = load_inline(
    name='include_in_quotes',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
