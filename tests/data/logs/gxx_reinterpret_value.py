from torch.utils.cpp_extension import load_inline

source = r"""
int f(float v) {
  return reinterpret_cast<int>(v);
}
"""

module = load_inline(name="gxx_reinterpret_value", cpp_sources=source, functions=[], no_implicit_headers=True)
