from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__global__ void k(float* y) {
  float a[4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%4,%5}, {%0,%1,%2,%3};"
      : "+f"(a[0]), "+f"(a[1]), "+f"(a[2]), "+f"(a[3]) : "r"(1), "r"(2), "r"(3), "r"(4));
  y[threadIdx.x] = a[0] + a[1] + a[2] + a[3];
}
"""
mod = load_inline(name="ptxas_registers", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True, extra_cuda_cflags=["--maxrregcount=8"])
