from torch.utils.cpp_extension import load_inline

source = "int f() { return 1; }"

module = load_inline(name="gxx_march_misspelt", cpp_sources=source, extra_cflags=["-march=natve"], functions=["f"])
