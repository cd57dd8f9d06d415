from torch.utils.cpp_extension import load_inline

source = r"""
int f(int a)
int g(int a) { return a; }
"""

module = load_inline(name="gxx_declaration_unfinished", cpp_sources=source, functions=[], no_implicit_headers=True)
