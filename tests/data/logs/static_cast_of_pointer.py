from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* v = static_cast<const float4*>(x);
  y[i] = v[i].x;
}
"""

module = load_inline(name="static_cast_of_pointer", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
