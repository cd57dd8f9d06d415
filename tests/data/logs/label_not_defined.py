from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) goto done;
  y[i] = x[i];
}
"""

module = load_inline(name="label_not_defined", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
