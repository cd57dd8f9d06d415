import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#define LOAD(dst, src) \
    dst = src[0];
    dst += src[1];

__global__ void k(float* y, int n) { float v; LOAD(v, y) y[0] = v; }
'''

mod = load_inline(
    name="odd_macro_backslash_two",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
