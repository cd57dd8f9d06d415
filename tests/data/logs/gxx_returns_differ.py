from torch.utils.cpp_extension import load_inline

source = r"""
auto f(bool b) {
  if (b) return 1;
  return 2.5;
}
"""

module = load_inline(name="gxx_returns_differ", cpp_sources=source, functions=[], no_implicit_headers=True)
