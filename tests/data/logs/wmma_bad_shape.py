import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, half, wmma::row_major> fa;
  wmma::load_matrix_sync(fa, a, 16);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='wmma_bad_shape',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
