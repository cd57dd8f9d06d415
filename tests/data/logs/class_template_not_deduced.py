from torch.utils.cpp_extension import load_inline

source = r"""
template <typename T> struct Box { T v; };
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Box b;
  y[i] = b.v * x[i];
}
"""

module = load_inline(name="class_template_not_deduced", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
