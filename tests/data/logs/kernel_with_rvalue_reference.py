from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(float*&& y) {
  y[0] = 0.f;
}
"""

module = load_inline(name="kernel_with_rvalue_reference", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
