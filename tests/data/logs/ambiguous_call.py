import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__device__ float scale(float v) { return 2.f * v; }
__device__ double scale(double v) { return 2. * v; }

__global__ void k(float* y) {
  y[0] = scale(3);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='ambiguous_call',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
