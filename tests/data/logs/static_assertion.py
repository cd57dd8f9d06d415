import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
template <int N>
__global__ void k(float* y) {
  static_assert(N % 32 == 0, "tile must be a multiple of the warp");
  y[0] = N;
}
void launch(float* y) { k<48><<<1, 48>>>(y); }
'''
cpp_src = '\n'
mod = load_inline(
    name='static_assertion',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
