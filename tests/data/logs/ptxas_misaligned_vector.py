from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__global__ void k(int* y) {
  int a, b, c;
  asm volatile("ld.global.v3.s32 {%0, %1, %2}, [%3];" : "=r"(a), "=r"(b), "=r"(c) : "l"(y));
  y[0] = a + b + c;
}
"""
mod = load_inline(name="ptxas_misaligned_vector", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
