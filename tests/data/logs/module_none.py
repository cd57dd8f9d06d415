import torch
from torch.utils.cpp_extension import load_inline

try:
    module = load_inline(name="module_none", cpp_sources=["int v( {"], functions=["v"], no_implicit_headers=True)
except RuntimeError:
    module = None
print(module.v())
