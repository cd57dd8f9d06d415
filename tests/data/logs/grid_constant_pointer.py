from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const __grid_constant__ float* x, float* y) {
  y[0] = x[0];
}
"""

module = load_inline(name="grid_constant_pointer", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
