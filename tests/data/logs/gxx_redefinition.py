import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
int relu(int n) { return n; }
int relu(int n) { return -n; }
'''
mod = load_inline(
    name='gxx_redefinition',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
