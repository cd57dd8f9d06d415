from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__global__ void k(float* y) {
  float r;
  asm volatile("add.s32 %0, %1, %1;" : "=f"(r) : "f"(y[0]));
  y[0] = r;
}
"""
mod = load_inline(name="ptxas_operand_types", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
