import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* y, int n) {
    int i = threadIdx.x;
    if (i % 2 = 0) y[i] = 1.f;
}
'''

mod = load_inline(
    name="odd_assign_cmp_expr",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
