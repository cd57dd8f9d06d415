import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
Tensor relu(Tensor x);
'''
mod = load_inline(
    name='gxx_unknown_type',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
