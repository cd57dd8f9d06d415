from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[4 - 5];
  y[i] = a[n];
}
"""

module = load_inline(name="negative_array_size", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
