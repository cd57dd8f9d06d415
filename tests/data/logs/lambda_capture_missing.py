import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void k(float* y, float s) {
  auto f = [](float v) { return v * s; };
  y[0] = f(1.f);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='lambda_capture_missing',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
