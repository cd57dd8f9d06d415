import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
void launch(float* y, int n);
int launch(float* y, int n) { return n; }
'''
cpp_src = '\n'
mod = load_inline(
    name='declared_twice_differently',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
