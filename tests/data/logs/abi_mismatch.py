import torch
from torch.utils.cpp_extension import load_inline

SOURCE = r"""
#include <Python.h>
static PyObject* v(PyObject*, PyObject*) { return PyLong_FromLong(1); }
static PyMethodDef methods[] = {{"v", v, METH_NOARGS, 0}, {0, 0, 0, 0}};
static PyModuleDef def = {PyModuleDef_HEAD_INIT, "x", 0, -1, methods};
#define CAT2(a, b) a##b
#define CAT(a, b) CAT2(a, b)
extern "C" __attribute__((visibility("default"))) PyObject* CAT(PyInit_, TORCH_EXTENSION_NAME)() {
    return PyModule_Create(&def);
}
"""

SOURCE = SOURCE.replace("PyLong_FromLong(1)", "(c10::detail::torchCheckFail(\"f\", \"f\", 1, std::string(\"x\")), nullptr)")
HEAD = """
#include <cstdint>
#include <string>
namespace c10::detail { [[noreturn]] void torchCheckFail(const char*, const char*, uint32_t, const std::string&); }
"""
module = load_inline(
    name="abi_mismatch",
    cpp_sources=[HEAD + SOURCE],
    extra_cflags=["-D_GLIBCXX_USE_CXX11_ABI=0"],
    no_implicit_headers=True,
)
