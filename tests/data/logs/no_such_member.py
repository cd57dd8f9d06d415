import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float4* y) {
  float4 v = y[0];
  y[1].x = v.r;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='no_such_member',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
