import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
#include <cstdio>
void run() { printf("hello); }
'''
mod = load_inline(
    name='gxx_missing_quote',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
