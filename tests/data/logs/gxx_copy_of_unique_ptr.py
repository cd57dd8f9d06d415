from torch.utils.cpp_extension import load_inline

source = r"""
#include <memory>
void g(std::unique_ptr<int> p);
void f(std::unique_ptr<int> p) {
  g(p);
}
"""

module = load_inline(name="gxx_copy_of_unique_ptr", cpp_sources=source, functions=[], no_implicit_headers=True)
