import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    x[i] = expf(x[i]));
    x[0] = 1.f;
}
'''

mod = load_inline(
    name="odd_paren_extra",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
