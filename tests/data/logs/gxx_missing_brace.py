import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
int relu(int n) {
  if (n > 0) {
    return n;
}
'''
mod = load_inline(
    name='gxx_missing_brace',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
