import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
__device__ double lerp(double a, double b, double t) { return a + t * (b - a); }

__global__ void k(const float* x, float* y) {
  y[0] = lerp(x[0], x[1]);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='no_matching_function',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
