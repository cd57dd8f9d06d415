import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <pybind11/pybind11.h>
int relu(int n) { return n; }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("relu", &relu); }
'''
cpp_src = '\n'
mod = load_inline(
    name='relu-forward',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
