from torch.utils.cpp_extension import load_inline

source = r"""
int f(int n) {
  switch (n) {
    case 1: int v = n; return v;
    case 2: return 0;
  }
  return 1;
}
"""

module = load_inline(name="case_skips_declaration", cpp_sources=source, functions=[], no_implicit_headers=True)
