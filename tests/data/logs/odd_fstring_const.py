import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#define BLOCK {BLOCK_SIZE}
__global__ void k(float* y, int n) {
    __shared__ float s[BLOCK];
    s[0] = n; y[0] = s[0];
}
'''

mod = load_inline(
    name="odd_fstring_const",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
