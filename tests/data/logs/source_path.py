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
load_inline(name="source_path", cpp_sources=["relu.cpp"], no_implicit_headers=True)
