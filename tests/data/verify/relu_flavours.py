"""One CUDA source, several host functions: a right one and faulty ones. Tests choose the FLAVOUR."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

FLAVOUR = "right"

cuda_src = r"""
#include <torch/types.h>
#include <torch/csrc/utils/pybind.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

__global__ void relu_thread_per_element(const float* x, float* out, int64_t n, int64_t ahead) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i + ahead];
  out[i] = v < 0.0f ? 0.0f : v;
}

__global__ void relu_thread_per_pack(const float4* x, float4* out, int64_t packs) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= packs) return;
  float4 v = x[i];
  v.x = v.x < 0.0f ? 0.0f : v.x;
  v.y = v.y < 0.0f ? 0.0f : v.y;
  v.z = v.z < 0.0f ? 0.0f : v.z;
  v.w = v.w < 0.0f ? 0.0f : v.w;
  out[i] = v;
}

static torch::Tensor launch(torch::Tensor x, int64_t missing, int64_t ahead) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  x = x.contiguous();
  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor out = torch::empty(x.sizes(), x.options());
  const int64_t n = out.numel();
  if (n == 0) return out;
  relu_thread_per_element<<<(n + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
      x.const_data_ptr<float>(), out.mutable_data_ptr<float>(), n - missing, ahead);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

torch::Tensor right(torch::Tensor x) { return launch(x, 0, 0); }
torch::Tensor last_element_missing(torch::Tensor x) { return launch(x, 1, 0); }
torch::Tensor reads_beyond(torch::Tensor x) { return launch(x, 0, 1); }

torch::Tensor assumes_alignment(torch::Tensor x) {
  x = x.contiguous();
  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor out = torch::empty(x.sizes(), x.options());
  const int64_t packs = out.numel() / 4;
  if (out.numel() % 4 != 0 || packs == 0) return launch(x, 0, 0);
  relu_thread_per_pack<<<(packs + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
      reinterpret_cast<const float4*>(x.const_data_ptr<float>()),
      reinterpret_cast<float4*>(out.mutable_data_ptr<float>()), packs);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("right", &right, "relu");
  m.def("last_element_missing", &last_element_missing, "relu of all elements but the last");
  m.def("reads_beyond", &reads_beyond, "relu of the next element");
  m.def("assumes_alignment", &assumes_alignment, "relu with 16-byte accesses at any address");
}
"""


class ModelNew(nn.Module):
    _ext = None

    def __init__(self):
        super().__init__()
        if ModelNew._ext is None:
            ModelNew._ext = load_inline(
                name="relu_flavours", cpp_sources=[], cuda_sources=[cuda_src], extra_cuda_cflags=["-O3"]
            )

    def forward(self, x):
        if FLAVOUR == "torch":
            return torch.relu(x)
        return getattr(self._ext, FLAVOUR)(x)
