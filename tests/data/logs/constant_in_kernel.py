from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(float* y) {
  __constant__ float c[4] = {1.f, 2.f, 3.f, 4.f};
  y[0] = c[1];
}
"""

module = load_inline(name="constant_in_kernel", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
