from torch.utils.cpp_extension import load_inline

source = r"""
#include <algorithm>
#include <vector>
struct Box { int v; };
void f(std::vector<Box>& b) {
  std::sort(b.begin(), b.end());
}
"""

module = load_inline(name="std_sort_of_struct", cpp_sources=source, functions=[], no_implicit_headers=True)
