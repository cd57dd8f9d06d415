from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }}
  for (int j = 0; j < n; ++j) y[i] += x[j];
}
"""

module = load_inline(name="statement_outside_function", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
