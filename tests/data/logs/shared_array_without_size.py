from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float s[];
  s[threadIdx.x] = x[i];
  y[i] = s[0];
}
"""

module = load_inline(name="shared_array_without_size", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
