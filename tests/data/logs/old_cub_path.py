import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cub/cub/cub.cuh>
__global__ void k(float* y) { y[0] = 1.f; }
'''
cpp_src = '\n'
mod = load_inline(
    name='old_cub_path',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
