from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* x, int n) {
  x[0] = 0.f;
}
"""

module = load_inline(name="parameter_declared_twice", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
