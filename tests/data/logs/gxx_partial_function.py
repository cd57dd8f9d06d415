from torch.utils.cpp_extension import load_inline

source = r"""
template <typename T, int N> T g(T v) { return v * N; }
template <typename T> T g<T, 2>(T v) { return v + v; }
"""

module = load_inline(name="gxx_partial_function", cpp_sources=source, functions=[], no_implicit_headers=True)
