import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* y, int n) {
    int c = n;
    y[0] = с;
}
'''

mod = load_inline(
    name="odd_uni_cyrillic",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
