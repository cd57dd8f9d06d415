import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
struct Box { float v; };
__global__ void k(Box b, float* y) { y[0] = b->v; }
'''
cpp_src = '\n'
mod = load_inline(
    name='arrow_on_value',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
