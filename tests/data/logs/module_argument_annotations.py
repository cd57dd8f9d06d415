import torch
from torch.utils.cpp_extension import load_inline

cpp = """
#include <torch/extension.h>

torch::Tensor twice(torch::Tensor x) { return x * 2; }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("twice", twice, "x * 2", py::arg("x"), py::arg("out"));
}
"""
m = load_inline(name="twice_args", cpp_sources=cpp)
