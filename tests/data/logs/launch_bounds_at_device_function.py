from torch.utils.cpp_extension import load_inline

source = r"""
__device__ __launch_bounds__(256) float twice(float v) {
  return 2.f * v;
}
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = twice(x[i]);
}
"""

module = load_inline(name="launch_bounds_at_device_function", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
