from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__global__ void k(int* y) {
  asm volatile("bar.sync 17, 128;");
  y[0] = 1;
}
"""
mod = load_inline(name="ptxas_barrier_out_of_range", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
