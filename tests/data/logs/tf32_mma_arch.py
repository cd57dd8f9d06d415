import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cuda_fp8.h>
__global__ void k(__nv_fp8_e4m3* y, float v) { y[0] = v; y[0] = y[0] * y[1]; }
'''
cpp_src = '\n'
mod = load_inline(
    name='tf32_mma_arch',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
