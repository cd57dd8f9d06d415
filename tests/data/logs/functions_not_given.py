import torch
from torch.utils.cpp_extension import load_inline

cpp = """
torch::Tensor twice(torch::Tensor x) {
  return x + x;
}
"""
ops = load_inline(
    name="twice_nofun",
    cpp_sources=cpp,
)
print(ops.twice(torch.ones(2)))
