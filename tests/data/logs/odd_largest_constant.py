import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__constant__ int small[4];
__constant__ double weights[64 * 200];
__global__ void k(double* y, int n) { y[0] = weights[n] + small[n & 3]; }
'''

mod = load_inline(
    name="odd_largest_constant",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
