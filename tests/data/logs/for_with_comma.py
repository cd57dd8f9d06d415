from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0, j < n, ++j) y[j] = x[j];
}
"""

module = load_inline(name="for_with_comma", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
