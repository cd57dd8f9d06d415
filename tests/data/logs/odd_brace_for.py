import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    for (int j = 0; j < n; ++j) {
        x[i] += j;
    x[i] *= 2;
}
int launch(int n) {
    k<<<1, 32>>>(nullptr, n);
    return 0;
}
'''

mod = load_inline(
    name="odd_brace_for",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
