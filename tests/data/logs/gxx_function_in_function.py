from torch.utils.cpp_extension import load_inline

source = r"""
int f(int n) {
  int twice(int v) { return 2 * v; }
  return twice(n);
}
"""

module = load_inline(name="gxx_function_in_function", cpp_sources=source, functions=[], no_implicit_headers=True)
