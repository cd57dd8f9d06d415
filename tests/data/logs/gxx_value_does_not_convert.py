from torch.utils.cpp_extension import load_inline

source = r"""
#include <vector>
std::vector<int> f() {
  return 3.5f;
}
"""

module = load_inline(name="gxx_value_does_not_convert", cpp_sources=source, functions=[], no_implicit_headers=True)
