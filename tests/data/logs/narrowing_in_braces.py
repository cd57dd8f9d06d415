from torch.utils.cpp_extension import load_inline

source = r"""
#include <cstdint>
int f() {
  int a[2] = {1, 1.5};
  return a[1];
}
"""

module = load_inline(name="narrowing_in_braces", cpp_sources=source, functions=[], no_implicit_headers=True)
