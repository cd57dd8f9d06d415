import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
std::vector<int> relu(int n) { return {n}; }
'''
mod = load_inline(
    name='gxx_no_such_std',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
