// Pooling, minimal tier: one thread per output.
#include "windows.cuh"

// ---- chunk
// One thread computes one output: it walks its window in memory order. Neighbouring threads share most of
// their windows, so that the cache serves all but the first read of an element; the window's elements per
// output limit it. No shared memory, no alignment needed, deterministic.
template <typename Z, typename Y, typename X, typename Op, typename Load, typename Store>
__global__ void pool_thread_per_output(Op op, Load load, Store store, PoolShape shape) {
  const int64_t i = (static_cast<int64_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  if (i >= shape.planes * (shape.out[0] * shape.out[1] * shape.out[2])) return;
  const int64_t row = i / shape.out[2], layer = row / shape.out[1], plane = layer / shape.out[0];
  const Span zs = Z::span(layer % shape.out[0], shape.in[0], shape.out[0]);
  const Span ys = Y::span(row % shape.out[1], shape.in[1], shape.out[1]);
  const Span xs = X::span(i % shape.out[2], shape.in[2], shape.out[2]);
  const int64_t base = plane * (shape.in[0] * shape.in[1] * shape.in[2]);
  auto state = op.identity((((zs.begin * shape.in[1]) + ys.begin) * shape.in[2]) + xs.begin);
  for (int64_t z = zs.begin; z < zs.end; z += Z::step) {
    for (int64_t y = ys.begin; y < ys.end; y += Y::step) {
      const int64_t at = ((z * shape.in[1]) + y) * shape.in[2];
      for (int64_t x = xs.begin; x < xs.end; x += X::step) op.take(state, load(base + (at + x)), at + x);
    }
  }
  const int64_t elements = (zs.end - zs.begin) * (ys.end - ys.begin) * (xs.end - xs.begin);
  store(i, op.finish(state, i, elements, zs.padded * ys.padded * xs.padded));
}
