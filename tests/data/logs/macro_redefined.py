from torch.utils.cpp_extension import load_inline

source = r"""
#define TILE 16
int a[TILE];
#if TILE +
int b;
#endif
"""

module = load_inline(name="macro_redefined", cpp_sources=source, functions=[], no_implicit_headers=True)
