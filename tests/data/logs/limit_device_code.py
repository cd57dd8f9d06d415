from torch.utils.cpp_extension import load_inline
A = r"""
template <int N> struct F { static __device__ float g(float x) { return F<N-1>::g(x) * 1.1f + F<N-2>::g(x); } };
template <> struct F<0> { static __device__ float g(float x) { return x; } };
template <> struct F<1> { static __device__ float g(float x) { return x * x; } };
__global__ void k(float* x) { x[threadIdx.x] = F<36>::g(x[threadIdx.x]); }
void run(torch::Tensor x) { k<<<1, 32>>>(x.data_ptr<float>()); }
"""
load_inline(name="slow", cpp_sources="void run(torch::Tensor x);", cuda_sources=A, functions=["run"])
