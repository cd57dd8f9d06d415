from torch.utils.cpp_extension import load_inline

source = r"""
template <typename T, int N> struct Vec { T v[N]; };
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Vec<float> v;
  v.v[0] = x[i];
  y[i] = v.v[0];
}
"""

module = load_inline(name="template_argument_missing", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
