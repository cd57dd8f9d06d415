import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
template <typename T>
__device__ T pick(T a, T b) { return a > b ? a : b; }

__global__ void k(const float* x, float* y) {
  y[0] = pick(x[0], 0.0);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='no_matching_template',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
