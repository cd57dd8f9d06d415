from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[2] = {1.f, 2.f, 3.f};
  y[i] = a[n] * x[i];
}
"""

module = load_inline(name="too_many_initializers", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
