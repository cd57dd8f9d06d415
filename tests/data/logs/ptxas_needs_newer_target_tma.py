from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__global__ void k(float* y) {
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("fence.proxy.async;");
  y[threadIdx.x] = 0.f;
}
"""
mod = load_inline(name="ptxas_needs_newer_target_tma", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
