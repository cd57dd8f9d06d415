import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float y, int n) {
  y[0] = n;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='not_a_pointer',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
