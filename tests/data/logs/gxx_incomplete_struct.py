from torch.utils.cpp_extension import load_inline

source = r"""
struct Box;
int f(Box* b) {
  return b->v;
}
"""

module = load_inline(name="gxx_incomplete_struct", cpp_sources=source, functions=[], no_implicit_headers=True)
