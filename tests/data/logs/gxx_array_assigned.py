from torch.utils.cpp_extension import load_inline

source = r"""
int f() {
  int a[2], b[2] = {1, 2};
  a = b;
  return a[0];
}
"""

module = load_inline(name="gxx_array_assigned", cpp_sources=source, functions=[], no_implicit_headers=True)
