from torch.utils.cpp_extension import load_inline

source = r"""
int f() {
  template <typename T> T g(T v) { return v; }
  return 0;
}
"""

module = load_inline(name="gxx_template_in_function", cpp_sources=source, functions=[], no_implicit_headers=True)
