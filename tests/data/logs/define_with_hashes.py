from torch.utils.cpp_extension import load_inline

source = r"""
#define TILE 16
#define CAT(a, b) a##b##
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
"""

module = load_inline(name="define_with_hashes", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
