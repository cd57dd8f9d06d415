from torch.utils.cpp_extension import load_inline

source = r"""
const float* f(const float* a, const float* b) {
  return a + b;
}
"""

module = load_inline(name="gxx_pointers_added", cpp_sources=source, functions=[], no_implicit_headers=True)
