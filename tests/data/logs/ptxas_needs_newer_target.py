from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__global__ void k(float* y, const float* x) {
  __shared__ float s[128];
  unsigned to = __cvta_generic_to_shared(s + 4 * threadIdx.x);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(x + 4 * threadIdx.x));
  y[threadIdx.x] = s[threadIdx.x];
}
"""
mod = load_inline(name="ptxas_needs_newer_target", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
