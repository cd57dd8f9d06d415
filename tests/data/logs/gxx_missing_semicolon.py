import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
int relu(int n) {
  int m = n
  return m;
}
'''
mod = load_inline(
    name='gxx_missing_semicolon',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
)
