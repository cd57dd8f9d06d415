from torch.utils.cpp_extension import load_inline

load_inline(
    name="textflags",
    cpp_sources="int f() { return 1; }",
    functions=["f"],
    extra_cflags="-O3 -ffast-math",
    no_implicit_headers=True,
)
