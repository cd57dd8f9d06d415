from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = n;
  asm volatile("shfl.idx.b32 %0, %1, 0, 31;" : "=r"(r) : "r"(i));
  y[i] = r;
}
"""

module = load_inline(name="ptx_shuffle_without_sync", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
