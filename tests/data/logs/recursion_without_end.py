from torch.utils.cpp_extension import load_inline

source = r"""
template <int N> struct Sum {
  static __device__ float of(const float* x) {
    return x[N] + Sum<N - 1>::of(x);
  }
};
__global__ void k(const float* x, float* y) { y[0] = Sum<8>::of(x); }
"""

module = load_inline(name="recursion_without_end", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
