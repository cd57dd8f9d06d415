import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <stdexcept>
__global__ void k(float* y) { if (y[0] < 0) throw 1; }
'''
cpp_src = '\n'
mod = load_inline(
    name='exceptions_in_kernel',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
