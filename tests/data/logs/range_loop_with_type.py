from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j in range(n)) y[j] = x[j];
}
"""

module = load_inline(name="range_loop_with_type", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
