from torch.utils.cpp_extension import load_inline

source = r"""
#include <vector>
int f(std::vectr<int> v) { return 0; }
"""

module = load_inline(name="gxx_std_misspelt", cpp_sources=source, functions=[], no_implicit_headers=True)
