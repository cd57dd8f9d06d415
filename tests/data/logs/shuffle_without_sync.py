import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  float v = y[threadIdx.x];
  v += __shfl_down(v, 16);
  y[threadIdx.x] = v;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='shuffle_without_sync',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
