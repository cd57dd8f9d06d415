import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
template <typename T>
__global__ void k(T* y) {
  extern __shared__ T tile[];
  y[0] = tile[0];
}
void launch(float* a, double* b) {
  k<<<1, 32, 128>>>(a);
  k<<<1, 32, 256>>>(b);
}
'''
cpp_src = '\n'
mod = load_inline(
    name='extern_shared_two_types',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
