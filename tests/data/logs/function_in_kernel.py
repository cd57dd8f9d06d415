from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float twice(float v) { return v + v; }
  y[i] = twice(x[i]);
}
"""

module = load_inline(name="function_in_kernel", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
