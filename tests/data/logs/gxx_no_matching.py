import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
#include <algorithm>
long top(long n) { return std::max(n, 1); }
'''
mod = load_inline(
    name='gxx_no_matching',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
