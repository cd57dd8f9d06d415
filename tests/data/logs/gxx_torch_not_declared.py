import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
torch::Tensor relu(torch::Tensor x);
'''
mod = load_inline(
    name='gxx_torch_not_declared',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
