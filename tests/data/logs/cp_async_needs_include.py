import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y, const float* x) {
  __shared__ float s[32];
  __pipeline_memcpy_async(s, x, 16);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='cp_async_needs_include',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
