from torch.utils.cpp_extension import load_inline

cuda_src = r"""
template <typename T, int N>
__global__ void row_sum(T* y) {
  __shared__ T tile[N];
  tile[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  y[0] = tile[y[1] > 0 ? 3 : 5];
}

template __global__ void row_sum<float, 256>(float*);
template __global__ void row_sum<double, 8192>(double*);
"""
mod = load_inline(name="shared_two_kernels", cpp_sources="", cuda_sources=cuda_src, no_implicit_headers=True)
