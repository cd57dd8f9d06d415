import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cuda_fp16.h>
struct Pair { float a, b; };
__global__ void k(const Pair* x, Pair* y) {
  y[0] = __ldg(&x[0]);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='ldg_wrong_type',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
