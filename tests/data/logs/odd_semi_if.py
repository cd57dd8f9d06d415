import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* y, int n) {
    if (n > 2); {
        y[0] = n;
    } else {
        y[0] = 1;
    }
}
'''

mod = load_inline(
    name="odd_semi_if",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
