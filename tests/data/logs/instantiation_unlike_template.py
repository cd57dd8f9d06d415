from torch.utils.cpp_extension import load_inline

source = r"""
template <typename T> __global__ void k(T* y) { y[0] = 0; }
template __global__ void k<float>(double* y);
"""

module = load_inline(name="instantiation_unlike_template", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
