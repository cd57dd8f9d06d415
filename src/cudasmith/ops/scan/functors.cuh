// Associative operators of the scans. Plain CUDA; each chunk is emitted only where it is used.
//
// An operator turns an element into a state (`make`), joins the states of two neighbouring ranges
// (`combine`, left range first in scan order), and turns a state into the output element (`finish`).
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cmath>

#include <cstdint>

// ---- chunk
template <typename T>
struct SumOp {
  using state = T;
  __device__ state identity() const { return T(0); }
  template <typename V>
  __device__ state make(V v, int64_t) const { return static_cast<T>(v); }
  __device__ state combine(state a, state b) const { return static_cast<T>(a + b); }
  __device__ T finish(state s, int64_t) const { return s; }
};

// ---- chunk
template <typename T>
struct ProdOp {
  using state = T;
  __device__ state identity() const { return T(1); }
  template <typename V>
  __device__ state make(V v, int64_t) const { return static_cast<T>(v); }
  __device__ state combine(state a, state b) const { return static_cast<T>(a * b); }
  __device__ T finish(state s, int64_t) const { return s; }
};

// ---- chunk
// Running extreme and where it was last seen. NaN beats every number; of equals the later one wins.
template <typename T, typename Index>
struct ExtremeState {
  T value;
  Index at;
};

// ---- chunk
template <typename T, typename Index>
struct MaxOp {
  using state = ExtremeState<T, Index>;
  T lowest;          // what every element is >= to
  int64_t* indices;  // second output, laid out as the first; or null
  __device__ state identity() const { return {lowest, 0}; }
  __device__ state make(T v, int64_t at) const { return {v, static_cast<Index>(at)}; }
  __device__ state combine(state a, state b) const {
    return b.value != b.value || b.value >= a.value ? b : a;  // a NaN in `a` fails the comparison and stays
  }
  __device__ T finish(state s, int64_t i) const {
    if (indices != nullptr) indices[i] = static_cast<int64_t>(s.at);
    return s.value;
  }
};

// ---- chunk
template <typename T, typename Index>
struct MinOp {
  using state = ExtremeState<T, Index>;
  T highest;         // what every element is <= to
  int64_t* indices;  // second output, laid out as the first; or null
  __device__ state identity() const { return {highest, 0}; }
  __device__ state make(T v, int64_t at) const { return {v, static_cast<Index>(at)}; }
  __device__ state combine(state a, state b) const {
    return b.value != b.value || b.value <= a.value ? b : a;  // a NaN in `a` fails the comparison and stays
  }
  __device__ T finish(state s, int64_t i) const {
    if (indices != nullptr) indices[i] = static_cast<int64_t>(s.at);
    return s.value;
  }
};

// ---- chunk
// log(sum(exp(x))) of a range, kept as its maximum and the sum of exp(x - maximum) without the maximum's
// own 1: log1p then keeps the small terms, and no exponential can overflow. The empty range is (-inf, -1).
template <typename T>
struct LogSumExpState {
  T max;
  T rest;
};

// ---- chunk
template <typename T>
struct LogSumExpOp {
  using state = LogSumExpState<T>;
  __device__ state identity() const { return {-static_cast<T>(INFINITY), T(-1)}; }
  __device__ state make(T v, int64_t) const { return {v, T(0)}; }
  __device__ state combine(state a, state b) const {
    if (a.max != a.max) return a;  // NaN stays
    if (b.max != b.max) return b;
    if (a.max == b.max) return {a.max, a.rest + (T(1) + b.rest)};  // also two equal infinities
    const state high = a.max > b.max ? a : b, low = a.max > b.max ? b : a;
    return {high.max, high.rest + (T(1) + low.rest) * exp(low.max - high.max)};
  }
  __device__ T finish(state s, int64_t) const { return s.max + log1p(s.rest); }
};
