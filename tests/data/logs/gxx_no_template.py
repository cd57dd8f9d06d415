from torch.utils.cpp_extension import load_inline

source = r"""
struct Vec { float v; };
int f() {
  Vec<float> v;
  return 0;
}
"""

module = load_inline(name="gxx_no_template", cpp_sources=source, functions=[], no_implicit_headers=True)
