import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#if __CUDA_ARCH__ < 1000
#error "this kernel needs sm_100"
#endif
__global__ void k(float* y) { y[0] = 1.f; }
'''
cpp_src = '\n'
mod = load_inline(
    name='user_error_directive',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
