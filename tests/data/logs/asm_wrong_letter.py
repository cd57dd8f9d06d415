from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r;
  asm("mov.f32 %0, %1;" : "=f"(r) : "f"(x[i]));
  y[i] = r;
}
"""

module = load_inline(name="asm_wrong_letter", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
