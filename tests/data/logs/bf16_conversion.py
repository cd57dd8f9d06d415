import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cuda_bf16.h>
__global__ void k(const __nv_bfloat16* a, float* c) {
  float v = a[0];
  c[0] = v;
}
'''
cpp_src = '\n'
mod = load_inline(
    name='bf16_conversion',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
