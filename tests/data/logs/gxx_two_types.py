from torch.utils.cpp_extension import load_inline

source = r"""
int f() {
  int float v = 1;
  return 0;
}
"""

module = load_inline(name="gxx_two_types", cpp_sources=source, functions=[], no_implicit_headers=True)
