import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    if (i < n) {
        x[i] = 1.f;
    } else {
        x[i] = 2.f;
    x[0] = 3.f;
}
int launch(int n) { return n; }
'''

mod = load_inline(
    name="odd_brace_else",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
