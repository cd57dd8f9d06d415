import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) { y[0] = 0; }
void launch(float* y) { float* grid = y; k<<<grid, 32>>>(y); }
'''
cpp_src = '\n'
mod = load_inline(
    name='launch_config_type',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
