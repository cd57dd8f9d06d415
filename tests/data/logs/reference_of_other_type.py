from torch.utils.cpp_extension import load_inline

source = r"""
void g(float& v);
int f() {
  double d = 1.0;
  g(d);
  return 0;
}
"""

module = load_inline(name="reference_of_other_type", cpp_sources=source, functions=[], no_implicit_headers=True)
