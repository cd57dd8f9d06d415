from torch.utils.cpp_extension import load_inline

source = r"""
#include <pybind11/pybind11.h>
int f(int a) { return a; }
float f(float a) { return a; }
PYBIND11_MODULE(ext, m) {
  m.def("f", &f);
}
"""

module = load_inline(name="overloaded_function_bound", cpp_sources=source, functions=[], no_implicit_headers=True)
