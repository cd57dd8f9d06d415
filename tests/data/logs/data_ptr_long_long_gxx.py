import torch
from torch.utils.cpp_extension import load_inline

cpp = """
torch::Tensor twice(torch::Tensor x) {
  auto y = torch::empty_like(x);
  long long* p = x.data_ptr<long long>();
  for (int64_t i = 0; i < x.numel(); ++i) y.data_ptr<long long>()[i] = 2 * p[i];
  return y;
}
"""
ops = load_inline(name="twice_ops", cpp_sources=cpp, functions=["twice"])
