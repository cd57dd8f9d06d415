import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
void launch(float* y, dim3 grid, cudaStream_t s);
'''
mod = load_inline(
    name='gxx_cuda_type_in_cpp',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
