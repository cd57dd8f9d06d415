from torch.utils.cpp_extension import load_inline

source = r"""
#include <array>
int f() {
  std::array<int> a;
  return 0;
}
"""

module = load_inline(name="gxx_template_argument_count", cpp_sources=source, functions=[], no_implicit_headers=True)
