import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y, int n) {
  for i in range(n):
    y[i] = 0;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='python_and',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
