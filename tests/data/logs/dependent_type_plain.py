from torch.utils.cpp_extension import load_inline

source = r"""
struct Tr { typedef float type; };
template <typename T> __global__ void k(float* y) {
  T::type v = 0;
  y[0] = v;
}
"""

module = load_inline(name="dependent_type_plain", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
