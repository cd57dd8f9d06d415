import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* x, int n, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i // w] = 0.f;
}
'''

mod = load_inline(
    name="odd_floor_div_index",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
