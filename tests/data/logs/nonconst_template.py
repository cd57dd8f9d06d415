import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
template <int BLOCK>
__global__ void k(float* y) { y[0] = BLOCK; }
void launch(float* y) {
  int block = 256;
  k<block><<<1, block>>>(y);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='nonconst_template',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
