import torch
from torch.utils.cpp_extension import load_inline

cuda = r"""
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>

__global__ void row_sum_kernel(const float* x, float* y, int cols) {
  extern __shared__ float row[];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) row[c] = x[blockIdx.x * (int64_t)cols + c];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.f;
    for (int c = 0; c < cols; ++c) sum += row[c];
    y[blockIdx.x] = sum;
  }
}

torch::Tensor row_sum(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  if (y.numel() == 0) return y;
  int cols = x.size(1);
  row_sum_kernel<<<x.size(0), 256, cols * sizeof(float)>>>(x.data_ptr<float>(), y.data_ptr<float>(), cols);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
"""
ext = load_inline("row_sum", "torch::Tensor row_sum(torch::Tensor x);", cuda, functions=["row_sum"])


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return ext.row_sum(x)
