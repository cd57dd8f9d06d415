import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y) {
  int i = threadidx.x + blockidx.x * blockdim.x;
  y[i] = 1;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='wrong_case_builtin',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
