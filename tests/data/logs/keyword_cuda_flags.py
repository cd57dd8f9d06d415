import torch
from torch.utils.cpp_extension import load_inline

load_inline(
    name="a",
    cpp_sources="",
    cuda_sources="//",
    extra_cuda_flags=["-O3"],
)
