import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
struct Shape { int rows; };
int rows(Shape s) { return s.row; }
'''
mod = load_inline(
    name='gxx_no_member',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
