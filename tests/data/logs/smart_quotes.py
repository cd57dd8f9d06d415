import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cstdio>
__global__ void k(float* y) {
  printf(“%f”, y[0]);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='smart_quotes',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
