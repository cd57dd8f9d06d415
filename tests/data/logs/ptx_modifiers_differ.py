from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r;
  asm("add.sat.s32 %0, %1, %1;" : "=f"(r) : "f"(x[i]));
  asm("ex2.rn.f32 %0, %1;" : "=f"(r) : "f"(x[i]));
  y[i] = r;
}
"""

module = load_inline(name="ptx_modifiers_differ", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
