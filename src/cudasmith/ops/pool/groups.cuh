// What both fast pooling kernels share: the place of a group of output rows, which rows a window reads.
#pragma once
#include "windows.cuh"

// ---- chunk
// The place of one group: flat index of its plane's first element and of its first output; the depth and
// row its first window starts at; how many of its rows exist.
struct PoolGroup {
  int64_t in, out, depth, row;
  int rows;
};

template <typename T, int N>
struct alignas(sizeof(T) * N < 16 ? sizeof(T) * N : 16) Columns {  // neighbours, moved together
  T at[N];
};

// a / b, neither negative: 32-bit division is several times faster.
__device__ __forceinline__ int64_t quotient(int64_t a, int64_t b) {
  return ((a | b) >> 31) == 0 ? static_cast<uint32_t>(a) / static_cast<uint32_t>(b) : a / b;
}

template <typename Z, typename Y, int R>
__device__ __forceinline__ PoolGroup pool_group(const PoolShape& shape, int64_t group, int64_t groups) {
  const int64_t down = (shape.out[1] + R - 1) / R, above = quotient(group, shape.out[0]);
  const int64_t plane = quotient(above, down);
  const int64_t z = group - (above * shape.out[0]), y = (above - (plane * down)) * R;
  const int64_t left = group < groups ? shape.out[1] - y : 0;
  return {plane * (shape.in[0] * shape.in[1] * shape.in[2]),
          ((((plane * shape.out[0]) + z) * shape.out[1]) + y) * shape.out[2], (z * Z::stride) - Z::padding,
          (y * Y::stride) - Y::padding, static_cast<int>(left < R ? left : R)};
}

// ---- chunk
// True when one of R output rows reads the t-th input row below the first window's start.
template <typename Y>
__host__ __device__ constexpr bool pool_reads(int r, int t) {
  return t >= r * Y::stride && (t - (r * Y::stride)) % Y::step == 0 && (t - (r * Y::stride)) / Y::step < Y::kernel;
}

template <typename Y, int R>
__host__ __device__ constexpr bool pool_any_reads(int t) {
  for (int r = 0; r < R; ++r) {
    if (pool_reads<Y>(r, t)) return true;
  }
  return false;
}

// ---- chunk
// What one output is made from its reduced window: a constant count inside, a counted one at the edges.
template <typename Z, typename Y, typename X, typename Op>
__device__ __forceinline__ auto pool_finish(const Op& op, typename Op::state s, int64_t i, const PoolShape& shape,
                                            int64_t depth, int64_t row, int64_t x) {
  const int64_t left = (x * X::stride) - X::padding;
  const bool inside = depth >= 0 && depth + Z::extent <= shape.in[0] && row >= 0 && row + Y::extent <= shape.in[1] &&
                      left >= 0 && left + X::extent <= shape.in[2];
  if (inside) return op.template finish_full<Z::kernel * Y::kernel * X::kernel>(s, i);
  const Span zs = Z::span_at(depth, shape.in[0]), ys = Y::span_at(row, shape.in[1]), xs = X::span(x, shape.in[2]);
  const int64_t elements = zs.count() * ys.count() * xs.count();
  return op.finish(s, i, elements, zs.padded * ys.padded * xs.padded);
}
