// Times the fast pointwise kernel on 1.6e9 floats (a few activations, settings PACKS and threads per block).
//   nvcc -O3 -std=c++17 -arch=sm_90 -o /tmp/pointwise benchmarks/kernels/pointwise.cu && /tmp/pointwise
// Each line: operator, packs per thread, median of 20 launches after 3 warm-ups, ratio to the time that one
// read and one write take at 4.22 TB/s.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../src/cudasmith/ops/pointwise/fast.cu"

struct alignas(16) Four {
  float at[4];
};

struct Relu {
  static __device__ float of(float x) { return x < 0 ? 0.0f : x; }
};
struct Sigmoid {
  static __device__ float of(float x) { return 1.0f / (1.0f + expf(-x)); }
};
struct Gelu {
  static __device__ float of(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }
};

template <typename Op>
struct Load {
  using value = float;
  const float* __restrict__ x;
  __device__ value operator()(int64_t i) const { return Op::of(__ldg(x + i)); }
  template <int N>
  __device__ void pack(int64_t i, value (&v)[N]) const {
    const auto p = *reinterpret_cast<const Four*>(x + i);
#pragma unroll
    for (int k = 0; k < N; ++k) v[k] = Op::of(p.at[k]);
  }
};

struct Store {
  using value = float;
  float* __restrict__ out;
  __device__ void operator()(int64_t i, value v) const { out[i] = v; }
  template <int N>
  __device__ void pack(int64_t i, const value (&v)[N]) const {
    Four p;
#pragma unroll
    for (int k = 0; k < N; ++k) p.at[k] = v[k];
    *reinterpret_cast<Four*>(out + i) = p;
  }
};

__global__ void fill(float* x, int64_t n) {
  for (int64_t i = blockIdx.x * 1024ll + threadIdx.x; i < n; i += gridDim.x * 1024ll) {
    x[i] = static_cast<float>((i * 2654435761ll) % 20011) / 2500.0f - 4.0f;
  }
}

template <typename Op, int PACKS>
void time(const char* name, const float* x, float* out, int64_t n) {
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  std::vector<float> ms;
  for (int k = 0; k < 23; ++k) {
    cudaEventRecord(a);
    pointwise_thread_per_packs<4, PACKS><<<(n + 1024 * PACKS - 1) / (1024 * PACKS), 256>>>(Load<Op>{x}, Store{out}, n);
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    float t;
    cudaEventElapsedTime(&t, a, b);
    if (k >= 3) ms.push_back(t);
  }
  std::sort(ms.begin(), ms.end());
  const double floor = n * 8 / 4.22e9;
  std::printf("%-8s PACKS %d  %7.3f ms  %5.3f x floor  %s\n", name, PACKS, ms[10], ms[10] / floor, cudaGetErrorString(cudaGetLastError()));
}

template <typename Op>
void all(const char* name, const float* x, float* out, int64_t n) {
  time<Op, 1>(name, x, out, n);
  time<Op, 2>(name, x, out, n);
  time<Op, 4>(name, x, out, n);
  time<Op, 8>(name, x, out, n);
}

int main() {
  const int64_t n = 4096ll * 393216;
  float *x, *out;
  if (cudaMalloc(&x, n * 4) != cudaSuccess || cudaMalloc(&out, n * 4) != cudaSuccess) return 1;
  fill<<<1320, 1024>>>(x, n);
  all<Relu>("relu", x, out, n);
  all<Sigmoid>("sigmoid", x, out, n);
  all<Gelu>("gelu", x, out, n);
  return 0;
}
