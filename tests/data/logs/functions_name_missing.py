import torch
from torch.utils.cpp_extension import load_inline

cpp = """
torch::Tensor my_forward(torch::Tensor x) { return torch::relu(x); }
"""
m = load_inline(name="fw", cpp_sources=cpp, functions=["forward"], verbose=True)
