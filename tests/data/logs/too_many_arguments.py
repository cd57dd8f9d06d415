import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__device__ float twice(float v) { return 2.f * v; }

__global__ void k(float* y) {
  y[0] = twice(y[0], y[1]);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='too_many_arguments',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
