from torch.utils.cpp_extension import load_inline

source = r"""
int g() { return 4; }
int f() {
  constexpr int n = g();
  return n;
}
"""

module = load_inline(name="gxx_not_constexpr", cpp_sources=source, functions=[], no_implicit_headers=True)
