import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* y, int n) {
    int i = threadIdx.x;  # index
    y[i] = 0.f;
}
'''

mod = load_inline(
    name="odd_py_comment_end",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
