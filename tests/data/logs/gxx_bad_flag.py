import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
int relu(int n) { return n; }
'''
mod = load_inline(
    name='gxx_bad_flag',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
    extra_cflags=['--use_fast_math'],
)
