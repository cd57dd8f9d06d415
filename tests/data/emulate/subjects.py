"""One extension with right and wrong functions; FORWARD says what ModelNew does with them."""

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

CPP = """
torch::Tensor scale(torch::Tensor x, double factor);
torch::Tensor plus(torch::Tensor x);
torch::Tensor scale_half(torch::Tensor x, double factor);
torch::Tensor reversed_racy(torch::Tensor x);
torch::Tensor beyond(torch::Tensor x);
torch::Tensor half_written(torch::Tensor x);
torch::Tensor sums_unwritten(torch::Tensor x);
torch::Tensor spin(torch::Tensor x);
torch::Tensor null_write(torch::Tensor x);
torch::Tensor deep_host(torch::Tensor x);
torch::Tensor deep_kernel(torch::Tensor x);
torch::Tensor large_array(torch::Tensor x);
torch::Tensor large_vector(torch::Tensor x);
torch::Tensor refuse(torch::Tensor x);
"""

CUDA = r"""
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <vector>

__device__ float widened(float x) { return x; }
__device__ float widened(__half x) { return __half2float(x); }
__device__ float widened(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ void put(float* y, float v) { *y = v; }
__device__ void put(__half* y, float v) { *y = __float2half(v); }
__device__ void put(__nv_bfloat16* y, float v) { *y = __float2bfloat16(v); }

template <typename T>
__global__ void scale_kernel(const T* x, T* y, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) put(y + i, widened(x[i]) * factor);
}

__global__ void reverse_kernel(const float* x, float* y, int n) {
  __shared__ float tile[64];
  if (threadIdx.x < n) tile[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < n) y[threadIdx.x] = tile[n - 1 - threadIdx.x];  // race
}

__global__ void beyond_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i + 1];  // beyond
}

__global__ void first_half_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) y[i] = 2 * x[i];
}

__global__ void unwritten_kernel(const float* x, float* y, int n) {
  __shared__ float sums[64];
  if (threadIdx.x >= n) return;
  sums[threadIdx.x] += x[threadIdx.x];  // unwritten
  y[threadIdx.x] = sums[threadIdx.x];
}

__global__ void spin_kernel(volatile float* y) {
  while (y[0] != 12345.0f) { y[0] = 0;
  }
}

__device__ __noinline__ float deeper(const float* x, int n) {
  volatile float here[64];
  here[n % 64] = x[0];
  return n < 0 ? 0.0f : deeper(x, n + 1) + here[n % 64];
}

__global__ void deep_kernel_one(const float* x, float* y) { y[0] = deeper(x, 1); }

__global__ void plus_kernel(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x] + 1; }
torch::Tensor plus(torch::Tensor x) {
  auto y = torch::empty_like(x);
  plus_kernel<<<1, x.numel()>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
torch::Tensor scale(torch::Tensor x, double factor) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  scale_kernel<<<(n + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), float(factor), n);
  return y;
}

torch::Tensor scale_half(torch::Tensor x, double factor) {
  auto y = torch::empty_like(x);
  const int n = x.numel();
  if (x.scalar_type() == torch::kHalf) {
    scale_kernel<<<(n + 63) / 64, 64>>>((const __half*)x.data_ptr(), (__half*)y.data_ptr(), float(factor), n);
  } else {
    scale_kernel<<<(n + 63) / 64, 64>>>((const __nv_bfloat16*)x.data_ptr(), (__nv_bfloat16*)y.data_ptr(), float(factor), n);
  }
  return y;
}

torch::Tensor reversed_racy(torch::Tensor x) {
  auto y = torch::empty_like(x);
  reverse_kernel<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

torch::Tensor beyond(torch::Tensor x) {
  auto y = torch::empty_like(x);
  beyond_kernel<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

torch::Tensor half_written(torch::Tensor x) {
  auto y = torch::empty_like(x);
  first_half_kernel<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

torch::Tensor sums_unwritten(torch::Tensor x) {
  auto y = torch::empty_like(x);
  unwritten_kernel<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

torch::Tensor spin(torch::Tensor x) {
  auto y = torch::zeros_like(x);
  spin_kernel<<<1, 1>>>(y.data_ptr<float>());
  return y;
}

torch::Tensor null_write(torch::Tensor x) {
  volatile int* nowhere = nullptr;
  *nowhere = 1;
  return x;
}

static int count_down(volatile int* up, int n) {
  volatile int here[256];
  here[n & 255] = up[0] + n;
  return n < 0 ? 0 : count_down(here, n + 1) + here[n & 255];
}

torch::Tensor deep_host(torch::Tensor x) {
  volatile int start = 1;
  return x + count_down(&start, 1);
}

torch::Tensor deep_kernel(torch::Tensor x) {
  auto y = torch::empty_like(x);
  deep_kernel_one<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}

torch::Tensor large_array(torch::Tensor x) {
  char* all = new char[100ull << 30];
  for (size_t i = 0; i < (100ull << 30); i += 4096) all[i] = 1;
  return x + all[12345];
}

torch::Tensor large_vector(torch::Tensor x) {
  std::vector<char> all(100ull << 30, 1);
  return x + all[12345];
}

torch::Tensor refuse(torch::Tensor x) {
  TORCH_CHECK(false, "this kernel takes no tensor of ", x.numel(), " elements");
  return x;
}
"""

FUNCTIONS = [line.split("(")[0].split()[-1] for line in CPP.strip().splitlines()]
ext = load_inline(name="subjects", cpp_sources=CPP, cuda_sources=CUDA, functions=FUNCTIONS)


class Model(nn.Module):
    def forward(self, x):
        return 2 * x


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.scale(x, 2.0)  # FORWARD


def get_inputs():
    return [torch.randn(50)]
