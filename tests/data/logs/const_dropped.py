import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* x, int n) { x[0] = n; }

void launch(const float* x, int n) {
  k<<<1, 32>>>(x, n);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='const_dropped',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
