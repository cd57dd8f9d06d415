from torch.utils.cpp_extension import load_inline

source = r"""
template <typename T> struct Vec { T v; };
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Vec<float, 4> v;
  v.v = x[i];
  y[i] = v.v;
}
"""

module = load_inline(name="template_argument_surplus", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
