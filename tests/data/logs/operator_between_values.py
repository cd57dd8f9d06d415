from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2.f x[i];
}
"""

module = load_inline(name="operator_between_values", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
