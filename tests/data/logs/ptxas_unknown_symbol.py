from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__global__ void k(int* y) {
  int r;
  asm volatile("add.s32 %0, %1, lane;" : "=r"(r) : "r"(y[0]));
  y[0] = r;
}
"""
mod = load_inline(name="ptxas_unknown_symbol", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
