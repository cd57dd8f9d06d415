import torch
from torch.utils.cpp_extension import load_inline

cuda_src = '''
#include <cstdio>
__global__ void k(float* y) {
  printf("value %f\n", y[0]);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='newline_in_plain_string',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
