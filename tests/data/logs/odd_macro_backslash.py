import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#define CHECK(x) \
    do { \
        if ((x) < 0) \
            return;
    } while (0)
__global__ void k(float* y, int n) { CHECK(n); y[0] = n; }
'''

mod = load_inline(
    name="odd_macro_backslash",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
