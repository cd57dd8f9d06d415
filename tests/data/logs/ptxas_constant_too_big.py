from torch.utils.cpp_extension import load_inline

cuda_src = r"""
__constant__ float weights[20000];

__global__ void k(float* y) {
  y[threadIdx.x] = weights[threadIdx.x];
}
"""
mod = load_inline(name="ptxas_constant_too_big", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
