from torch.utils.cpp_extension import load_inline

source = "int f() { return 1; }"

module = load_inline(name="nvcc_generate_code", cpp_sources="", cuda_sources=source, extra_cuda_cflags=["-gencode=arch-compute_90"], functions=["f"])
