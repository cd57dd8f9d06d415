from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__device__ __forceinline__ void wait(int* flag) {
  asm volatile(
      ".reg .pred p; .reg .s32 r;\n"
      "WAIT: ld.volatile.global.s32 r, [%0];\n"
      "setp.eq.s32 p, r, 0;\n"
      "@p bra WAIT;" ::"l"(flag));
}

__global__ void two(int* a, int* b) {
  wait(a);
  wait(b);
}
"""
mod = load_inline(name="ptxas_duplicate_label_global", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
