import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void k(float* x, int n, float default) {
    x[threadIdx.x] = default;
}
'''

mod = load_inline(
    name="odd_keyword_param",
    cpp_sources="int launch(int n);",
    cuda_sources=src,
    functions=["launch"],
    no_implicit_headers=True,
)
