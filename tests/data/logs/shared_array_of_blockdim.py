import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void sum_k(const float* x, float* y) {
  __shared__ float tile[blockDim.x];
  tile[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = tile[threadIdx.x];
}
'''
cpp_src = '\n'
mod = load_inline(
    name='shared_array_of_blockdim',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
