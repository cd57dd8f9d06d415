from torch.utils.cpp_extension import load_inline

source = r"""
template <int N> struct Vec { float v[N]; };
int f() {
  Vec<float> v;
  return 0;
}
"""

module = load_inline(name="gxx_type_for_number", cpp_sources=source, functions=[], no_implicit_headers=True)
