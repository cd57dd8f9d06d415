import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
#pragma unroll N
  for (int i = 0; i < 4; ++i) y[i] = 0;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='launch_bounds_unknown',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
