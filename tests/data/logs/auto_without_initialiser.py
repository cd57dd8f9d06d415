import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  auto s;
  s = y[0];
}
'''
cpp_src = '\n'
mod = load_inline(
    name='auto_without_initialiser',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
