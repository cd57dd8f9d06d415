import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* y, int n) {
    extern __shared__ float s;
    s[0] = n; y[0] = s[0];
}
'''

mod = load_inline(
    name="odd_extern_brackets",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
