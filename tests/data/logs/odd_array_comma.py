import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* y, int n) {
    __shared__ float t[16, 17];
    t[threadIdx.y][threadIdx.x] = n;
    y[0] = t[0][0];
}
'''

mod = load_inline(
    name="odd_array_comma",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
