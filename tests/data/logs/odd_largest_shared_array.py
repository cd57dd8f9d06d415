import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#define ROWS 128
__global__ void k(const double* x, double* y, int n) {
    __shared__ int idx[32];
    __shared__ double tile[ROWS][ROWS];
    tile[threadIdx.y][threadIdx.x] = x[n]; idx[0] = n; __syncthreads(); y[0] = tile[idx[0]][1];
}
'''

mod = load_inline(
    name="odd_largest_shared_array",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
