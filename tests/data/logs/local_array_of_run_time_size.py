import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
__global__ void sum_k(const float* x, float* y, int n) {
  float tile[n];
  tile[0] = x[threadIdx.x];
  y[threadIdx.x] = tile[0];
}
'''
cpp_src = '\n'
mod = load_inline(
    name='local_array_of_run_time_size',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
