// Windows and reductions of pooling. Plain CUDA; each chunk is emitted only where it is used.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

// ---- chunk
// Sizes of depth, height and width (1 where the rank is lower) before and after; `planes` of them.
struct PoolShape {
  int64_t planes, in[3], out[3];
};

// The elements of one window along one axis: begin, begin + step, ... before end. `padded` also counts
// the padding under the window.
struct Span {
  int64_t begin, end, padded;
  __device__ int64_t count() const { return end - begin; }  // for steps of 1
};

// ---- chunk
// A sliding window along one axis: output o covers elements o * S - P + j * D of the input, j < K.
template <int K, int S, int P, int D, bool Ceil>
struct Window {
  static constexpr int kernel = K, stride = S, padding = P, step = D, extent = ((K - 1) * D) + 1;
  // Outputs for `in` elements. With Ceil a last window may hang over, but not start in the right padding.
  static int64_t outputs(int64_t in) {
    const int64_t room = in + (2 * P) - extent + (Ceil ? S - 1 : 0);
    if (room < 0) return 0;
    const int64_t count = (room / S) + 1;
    return Ceil && (count - 1) * S >= in + P ? count - 1 : count;
  }
  static __device__ __forceinline__ Span span(int64_t o, int64_t in, int64_t) { return span_at((o * S) - P, in); }
  static __device__ __forceinline__ Span span_at(int64_t begin, int64_t in) {
    const int64_t end = begin + extent;
    const int64_t padded = (end < in + P ? end : in + P) - begin;
    if (begin < 0) begin += (((-begin) + D - 1) / D) * D;
    return {begin, end < in ? end : in, padded};
  }
};

// ---- chunk
// Windows that divide the input into `out` parts as even as they can be, overlapping by at most one.
struct Part {
  static constexpr int step = 1;
  static __device__ __forceinline__ Span span(int64_t o, int64_t in, int64_t out) {
    const int64_t begin = (o * in) / out, end = (((o + 1) * in) + out - 1) / out;
    return {begin, end, end - begin};
  }
};

// ---- chunk
// Maximum of a window; NaN beats every number.
template <typename T>
struct MaxOp {
  using state = T;
  __device__ state identity(int64_t) const { return static_cast<T>(-INFINITY); }
  __device__ void take(state& s, T v, int64_t) const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) == 4) {  // one instruction where the comparison takes three
      asm("max.NaN.f32 %0, %0, %1;" : "+f"(s) : "f"(v));
      return;
    }
#endif
    s = v > s || v != v ? v : s;
  }
  __device__ T finish(state s, int64_t, int64_t, int64_t) const { return s; }
  template <int FULL>
  __device__ T finish_full(state s, int64_t) const { return s; }
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
  __device__ state identity(int64_t first) const { return {static_cast<T>(-INFINITY), first}; }
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
  using state = T;
  __device__ state identity(int64_t) const { return T(0); }
  __device__ void take(state& s, T v, int64_t) const { s += v; }
  __device__ T finish(state s, int64_t, int64_t elements, int64_t padded) const {
    return s / static_cast<T>(Divisor != 0 ? Divisor : Padded ? padded : elements);
  }
  template <int FULL>  // a window of FULL elements: times the reciprocal, at most one rounding more
  __device__ T finish_full(state s, int64_t) const {
    constexpr T scale = T(1) / static_cast<T>(Divisor != 0 ? Divisor : FULL);
    return s * scale;
  }
};
