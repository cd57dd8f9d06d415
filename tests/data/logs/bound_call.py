from torch.utils.cpp_extension import load_inline

source = r"""
#include <pybind11/pybind11.h>
namespace py = pybind11;
int f(int a) { return a; }
PYBIND11_MODULE(ext, m) {
  m.def("f", f(1));
}
"""

module = load_inline(name="bound_call", cpp_sources=source, functions=[], no_implicit_headers=True)
