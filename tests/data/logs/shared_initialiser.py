import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  __shared__ float total = 0.f;
  atomicAdd(&total, y[threadIdx.x]);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='shared_initialiser',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
