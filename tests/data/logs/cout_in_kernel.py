import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <iostream>
__global__ void k(float* y) { std::cout << y[0]; }
'''
cpp_src = '\n'
mod = load_inline(
    name='cout_in_kernel',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
