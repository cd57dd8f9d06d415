import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cuda_fp16.h>
__global__ void k(const __half* a, const __half* b, __half* c) {
  c[0] = a[0] + b[0];
}
'''
cpp_src = '\n'
mod = load_inline(
    name='half_plus_float',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
