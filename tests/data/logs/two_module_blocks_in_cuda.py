import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cstdint>
#include <pybind11/pybind11.h>
void f(uintptr_t x) {}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("f", &f); }
'''
cpp_src = '\n'
mod = load_inline(
    name='two_module_blocks_in_cuda',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
