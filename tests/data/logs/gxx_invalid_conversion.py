import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
void launch(float* y);
void run(const float* x) { launch(x); }
'''
mod = load_inline(
    name='gxx_invalid_conversion',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
