import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float4* x, float4* y) {
  y[0] = x[0] + x[1];
}
'''
cpp_src = '\n'
mod = load_inline(
    name='vector_arithmetic',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
