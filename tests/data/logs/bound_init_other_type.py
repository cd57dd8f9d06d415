from torch.utils.cpp_extension import load_inline

source = r"""
#include <pybind11/pybind11.h>
namespace py = pybind11;
struct Box { int v; Box(int a) : v(a) {} };
PYBIND11_MODULE(ext, m) {
  py::class_<Box>(m, "Box").def(py::init<const char*>());
}
"""

module = load_inline(name="bound_init_other_type", cpp_sources=source, functions=[], no_implicit_headers=True)
