import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  float s[4] = {0.f};
  s = 1.f;
  y[0] = s[0];
}
'''
cpp_src = '\n'
mod = load_inline(
    name='c_style_designated',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
