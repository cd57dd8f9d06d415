import torch
from torch.utils.cpp_extension import load_inline

cpp = """
#include <torch/extension.h>

torch::Tensor scale(const torch::Tensor& x, float a) { return x * a; }

TORCH_LIBRARY(held_float, m) {
    m.def("scale", &scale);
}
"""
load_inline(name="held_float", cpp_sources=cpp, is_python_module=False)
