import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
struct Pair { float a; float b; }

__global__ void k(float* y) { y[0] = 1.0f; }
'''
cpp_src = '\n'
mod = load_inline(
    name='struct_without_semicolon',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
