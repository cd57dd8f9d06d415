// Kernels of benchmarks/emulator.py, and the same loops as plain C++ under the same flags.
#include <torch/extension.h>
using T = torch::Tensor;
static float* p(const T& t) { return t.data_ptr<float>(); }

__global__ void k_pointwise(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] * 1.5f + 1 : x[i] * 0.1f;
}
void pointwise(T x, T y) { k_pointwise<<<x.numel() / 256, 256>>>(p(x), p(y), x.numel()); }
void plain_pointwise(T x, T y) {
  const float* a = p(x);
  float* b = p(y);
  for (int i = 0, n = x.numel(); i < n; ++i) b[i] = a[i] > 0 ? a[i] * 1.5f + 1 : a[i] * 0.1f;
}

// 4096 threads, each of which adds every 4096th element.
__global__ void k_strided(const float* x, float* y, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0;
  for (int i = t; i < n; i += 4096) a += x[i];
  y[t] = a;
}
void strided(T x, T y) { k_strided<<<16, 256>>>(p(x), p(y), x.numel()); }
void plain_strided(T x, T y) {
  const float* a = p(x);
  float* b = p(y);
  for (int t = 0, n = x.numel(); t < 4096; ++t) {
    float s = 0;
    for (int i = t; i < n; i += 4096) s += a[i];
    b[t] = s;
  }
}

// Rows of 1024, windows of 3 x 3.
__global__ void k_pool(const float* x, float* y, int h) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c >= 1022) return;
  float m = -INFINITY;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m = fmaxf(m, x[(r + i) * 1024 + c + j]);
  y[r * 1024 + c] = m;
}
void pool(T x, T y) { int h = x.numel() / 1024 - 2; k_pool<<<dim3(4, h), 256>>>(p(x), p(y), h); }
void plain_pool(T x, T y) {
  const float* a = p(x);
  float* b = p(y);
  for (int r = 0, h = x.numel() / 1024 - 2; r < h; ++r)
    for (int c = 0; c < 1022; ++c) {
      float m = -INFINITY;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m = fmaxf(m, a[(r + i) * 1024 + c + j]);
      b[r * 1024 + c] = m;
    }
}

// 256 x 256.
__global__ void k_matmul(const float* x, float* y) {
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  float s = 0;
  for (int k = 0; k < 256; ++k) s += x[r * 256 + k] * x[k * 256 + c];
  y[r * 256 + c] = s;
}
void matmul(T x, T y) { k_matmul<<<dim3(16, 16), dim3(16, 16)>>>(p(x), p(y)); }
void plain_matmul(T x, T y) {
  const float* a = p(x);
  float* b = p(y);
  for (int r = 0; r < 256; ++r)
    for (int c = 0; c < 256; ++c) {
      float s = 0;
      for (int k = 0; k < 256; ++k) s += a[r * 256 + k] * a[k * 256 + c];
      b[r * 256 + c] = s;
    }
}

// 64 blocks of 256 threads that meet 256 times.
__global__ void k_barriers(float* y) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  for (int i = 0; i < 128; ++i) {
    __syncthreads();
    float v = s[255 - threadIdx.x];
    __syncthreads();
    s[threadIdx.x] = v;
  }
  y[threadIdx.x] = s[threadIdx.x];
}
void barriers(T x, T y) { k_barriers<<<64, 256>>>(p(y)); }

__global__ void k_rows(const float* x, float* y) {
  __shared__ float s[256];
  float a = 0;
  for (int c = threadIdx.x; c < 4096; c += 256) a += x[blockIdx.x * 4096 + c];
  s[threadIdx.x] = a;
  for (int k = 128; k > 0; k /= 2) {
    __syncthreads();
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
void rows(T x, T y) { k_rows<<<x.numel() / 4096, 256>>>(p(x), p(y)); }
