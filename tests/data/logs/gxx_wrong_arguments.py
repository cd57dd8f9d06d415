import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
void launch(float* y, int n);
void run(float* y) { launch(y); }
'''
mod = load_inline(
    name='gxx_wrong_arguments',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
