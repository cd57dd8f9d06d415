import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r"""
#include <pybind11/pybind11.h>
extern "C" int cublasCreate_v2(void**);
int relu() { void* h; return cublasCreate_v2(&h); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("relu", &relu); }
"""
cuda_src = r"""
#include <cuda_runtime.h>

__global__ void relu_kernel(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}

void other(long x, long y, int n) {
  relu_kernel<<<(n + 255) / 256, 256>>>((const float*)x, (float*)y, n);
}
"""
mod = load_inline(name="library_blas", cpp_sources=cpp_src, cuda_sources=cuda_src, no_implicit_headers=True)
