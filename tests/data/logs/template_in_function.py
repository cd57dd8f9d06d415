from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  template <typename T> T twice(T v) { return v + v; }
  y[i] = twice(x[i]);
}
"""

module = load_inline(name="template_in_function", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
