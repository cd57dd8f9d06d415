"""A right candidate with one kernel. Tests plant faults in the CUDA text."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_src = r"""
#include <torch/types.h>
#include <torch/csrc/utils/pybind.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

template <typename T>
__global__ void relu_thread_per_element(const T* x, T* out, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T v = x[i];
  out[i] = v < T(0) ? T(0) : v;  // NaN compares false and stays
}

static torch::Tensor checked(const torch::Tensor& t, torch::ScalarType dtype, const char* name) {
  TORCH_CHECK(t.is_cuda(), name, " must be a CUDA tensor, got ", t.device());
  TORCH_CHECK(t.scalar_type() == dtype, name, " must be ", dtype, ", got ", t.scalar_type());
  return t.contiguous();
}

torch::Tensor relu(torch::Tensor x) {
  x = checked(x, torch::kFloat, "x");
  const c10::cuda::CUDAGuard guard(x.device());
  const std::vector<int64_t> sizes = x.sizes().vec();
  torch::Tensor out = torch::empty(sizes, x.options().dtype(torch::kFloat));
  const int64_t n = out.numel();
  if (n == 0) return out;
  relu_thread_per_element<float><<<(n + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
      x.const_data_ptr<float>(), out.mutable_data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("relu", &relu, "relu");
}
"""


class ModelNew(nn.Module):
    _ext = None

    def __init__(self):
        super().__init__()
        if ModelNew._ext is None:
            ModelNew._ext = load_inline(
                name="relu_ext", cpp_sources=[], cuda_sources=[cuda_src], extra_cuda_cflags=["-O3"]
            )

    def forward(self, x):
        return self._ext.relu(x)
