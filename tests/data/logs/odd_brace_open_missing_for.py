import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* x, int n) {
    int i = threadIdx.x;
    for (int j = 0; j < n; ++j)
        x[i] += j;
        x[i] *= 2;
    }
    x[i] = 0;
}
int launch(int n) { return n; }
'''

mod = load_inline(
    name="odd_brace_open_missing_for",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
