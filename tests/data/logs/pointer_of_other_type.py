import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  int* p = y;
  float4* q = y;
  p[0] = 1;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='pointer_of_other_type',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
