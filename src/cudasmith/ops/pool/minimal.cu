// Pooling, minimal tier: one thread per output.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

// ---- chunk
// Maximum of a window; NaN beats every number.
template <typename T>
struct Maximum {
  __device__ T identity(int64_t) const { return static_cast<T>(-INFINITY); }
  __device__ void take(T& s, T v, int64_t) const { s = v > s || v != v ? v : s; }
  __device__ T finish(T s, int64_t, int64_t, int64_t) const { return s; }
};

// ---- chunk
// Maximum of a window and where in its plane it lies: of equals the first, of NaNs the last.
template <typename T>
struct MaximumAt {
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
struct Mean {
  __device__ T identity(int64_t) const { return T(0); }
  __device__ void take(T& s, T v, int64_t) const { s += v; }
  __device__ T finish(T s, int64_t, int64_t elements, int64_t padded) const { return s / T(Divisor ? Divisor : Padded ? padded : elements); }
};

// ---- chunk
// With ceil_mode a last window may hang over the input, but not start in the padding to its right.
inline int64_t ceil_outputs(int64_t in, int64_t extent, int64_t stride, int64_t padding) {
  const int64_t count = ((in + (2 * padding) - extent + stride - 1) / stride) + 1;
  return (count - 1) * stride >= in + padding ? count - 1 : count;
}

// ---- chunk
// Of depth, height, width (ones where the rank is lower). A window's extent is that of the dilated window.
struct PoolBox { int64_t in[3], out[3], extent[3], stride[3], padding[3], dilation[3]; };

// One thread computes one output: it walks its window in memory order. Neighbouring threads share most of
// their windows, so that the cache serves all but the first read of an element; the window's elements per
// output limit it. No shared memory, no alignment needed, deterministic.
template <typename Op, typename Load, typename Store>
__global__ void pool_thread_per_output(Op op, Load load, Store store, PoolBox shape, int64_t outputs) {
  const int64_t i = (static_cast<int64_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  if (i >= outputs) return;
  int64_t plane = i, begin[3], end[3], padded = 1;
  for (int d = 2; d >= 0; plane /= shape.out[d--]) {
    begin[d] = ((plane % shape.out[d]) * shape.stride[d]) - shape.padding[d];
    end[d] = min(begin[d] + shape.extent[d], shape.in[d]);
    padded *= min(shape.extent[d], shape.in[d] + shape.padding[d] - begin[d]);
    while (begin[d] < 0) begin[d] += shape.dilation[d];
  }
  auto state = op.identity((((begin[0] * shape.in[1]) + begin[1]) * shape.in[2]) + begin[2]);
  for (int64_t z = begin[0]; z < end[0]; z += shape.dilation[0])
    for (int64_t y = begin[1]; y < end[1]; y += shape.dilation[1])
      for (int64_t row = ((z * shape.in[1]) + y) * shape.in[2], at = row + begin[2]; at < row + end[2]; at += shape.dilation[2])
        op.take(state, load(plane * (shape.in[0] * shape.in[1] * shape.in[2]) + at), at);
  store(i, op.finish(state, i, (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]), padded));
}

// ---- chunk
// Of depth, height, width (ones where the rank is lower).
struct PoolParts { int64_t in[3], out[3]; };

// ---- chunk
// One thread computes one output: it walks its window in memory order. The windows divide the input into
// `out` parts as even as they can be, neighbours overlapping by at most one element: each element is read
// about once. The walk limits it where windows are large and outputs few. No shared memory, no alignment
// needed, deterministic.
template <typename Op, typename Load, typename Store>
__global__ void adaptive_pool_thread_per_output(Op op, Load load, Store store, PoolParts shape, int64_t outputs) {
  const int64_t i = (static_cast<int64_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  if (i >= outputs) return;
  int64_t plane = i, begin[3], end[3];
  for (int d = 2; d >= 0; plane /= shape.out[d--]) {
    const int64_t o = plane % shape.out[d];
    begin[d] = (o * shape.in[d]) / shape.out[d];
    end[d] = (((o + 1) * shape.in[d]) + shape.out[d] - 1) / shape.out[d];
  }
  auto state = op.identity((((begin[0] * shape.in[1]) + begin[1]) * shape.in[2]) + begin[2]);
  for (int64_t z = begin[0]; z < end[0]; ++z)
    for (int64_t y = begin[1]; y < end[1]; ++y)
      for (int64_t row = ((z * shape.in[1]) + y) * shape.in[2], at = row + begin[2]; at < row + end[2]; ++at)
        op.take(state, load(plane * (shape.in[0] * shape.in[1] * shape.in[2]) + at), at);
  const int64_t elements = (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]);
  store(i, op.finish(state, i, elements, elements));
}
