import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y, int n) {
  float m = -INFINITY_F;
  y[0] = max(m, -inf);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='numpy_inf',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
