from torch.utils.cpp_extension import load_inline

source = r"""
struct Box { float v; };
float f(Box b) {
  return b->v;
}
"""

module = load_inline(name="gxx_arrow_on_object", cpp_sources=source, functions=[], no_implicit_headers=True)
