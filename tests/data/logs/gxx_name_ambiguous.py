from torch.utils.cpp_extension import load_inline

source = r"""
namespace a { int v = 1; }
namespace b { int v = 2; }
using namespace a;
using namespace b;
int f() {
  return v;
}
"""

module = load_inline(name="gxx_name_ambiguous", cpp_sources=source, functions=[], no_implicit_headers=True)
