import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#define SQ (x) ((x) * (x))
__global__ void k(float* y, int n) { y[0] = SQ(y[1]); }
'''

mod = load_inline(
    name="odd_macro_space",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
