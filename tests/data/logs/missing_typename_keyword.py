import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
template <typename T> struct Acc { using type = float; };
template <typename T>
__global__ void k(T* y) {
  Acc<T>::type s = 0;
  y[0] = s;
}
void launch(float* y) { k<float><<<1, 1>>>(y); }
'''
cpp_src = '\n'
mod = load_inline(
    name='missing_typename_keyword',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
