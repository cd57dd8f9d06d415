// Reductions of pooling. Plain CUDA; each chunk is emitted only where it is used.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math_constants.h>

#include <cstdint>

// ---- chunk
// Maximum of a window; NaN beats every number.
template <typename T>
struct MaxOp {
  __device__ T identity(int64_t) const { return static_cast<T>(-CUDART_INF); }
  __device__ void take(T& s, T v, int64_t) const { s = v > s || v != v ? v : s; }
  __device__ T finish(T s, int64_t, int64_t, int64_t) const { return s; }
};

// ---- chunk
// Maximum of a window and where in its plane it lies: of equals the first, of NaNs the last.
template <typename T>
struct MaxAtOp {
  struct state {
    T value;
    int64_t at;
  };
  int64_t* __restrict__ indices;  // [outputs]
  __device__ state identity(int64_t first) const { return {static_cast<T>(-CUDART_INF), first}; }
  __device__ void take(state& s, T v, int64_t at) const { s = v > s.value || v != v ? state{v, at} : s; }
  __device__ T finish(state s, int64_t i, int64_t, int64_t) const {
    indices[i] = s.at;
    return s.value;
  }
};

// ---- chunk
// Mean of a window: the sum over Divisor; where that is 0 over the elements, with the padding if Padded.
template <typename T, bool Padded, int64_t Divisor>
struct MeanOp {
  __device__ T identity(int64_t) const { return T(0); }
  __device__ void take(T& s, T v, int64_t) const { s += v; }
  __device__ T finish(T s, int64_t, int64_t elements, int64_t padded) const {
    return s / static_cast<T>(Divisor != 0 ? Divisor : Padded ? padded : elements);
  }
};
