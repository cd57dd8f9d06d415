import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cuda_fp16.h>
__global__ void k(const float* y, half2* h) {
  h[0] = make_half2(y[0], y[1]);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='half2_member',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
