import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <cmath>
template <typename F> __global__ void k(float* y, F f) { y[0] = f(y[0]); }
void launch(float* y) { k<<<1, 1>>>(y, [](float v) { return v * 2; }); }
'''
cpp_src = '\n'
mod = load_inline(
    name='inline_lambda_no_device',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
    extra_cuda_cflags=['--extended-lambda'],
)
