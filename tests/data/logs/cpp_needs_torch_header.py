import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
void run(at::Tensor x);
'''
mod = load_inline(
    name='cpp_needs_torch_header',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
