from torch.utils.cpp_extension import load_inline

source = r"""
struct Box { int v; int get() { return v; } };
int f() {
  return Box::get();
}
"""

module = load_inline(name="gxx_member_without_object", cpp_sources=source, functions=[], no_implicit_headers=True)
