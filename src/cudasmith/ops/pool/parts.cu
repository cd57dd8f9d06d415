// Adaptive pooling, fast tier: several lanes per output.
#include "minimal.cu"

// ---- chunk
// How many lanes share one output: about 8 elements each, `columns` of them side by side along the width.
// `wide`: some index does not fit 32 bits.
struct PoolLanes {
  int lanes = 1, columns = 1;
  bool wide = false;
};

inline PoolLanes pool_lanes(const PoolParts& shape, int64_t elements) {
  PoolLanes share;
  int64_t window = 1, width = 1;
  for (int d = 0; d < 3; ++d) {
    width = (shape.in[d] + shape.out[d] - 1) / shape.out[d];
    window *= width;
    share.wide = share.wide || (shape.in[d] + 1) * (shape.out[d] + 1) > INT32_MAX;
  }
  share.wide = share.wide || elements > INT32_MAX - 256;
  while (share.lanes < 32 && share.lanes * 8 < window) share.lanes *= 2;
  while (share.columns < share.lanes && share.columns < width) share.columns *= 2;
  return share;
}

// ---- chunk
// `lanes` neighbouring threads (a power of two up to 32) compute one output: they stand in lanes / columns
// rows of its window, `columns` of them side by side, and join their parts by shuffles. The windows divide
// the input into `out` parts as even as they can be. Limited by memory: each element is read about once, in
// order along the width. No shared memory, no alignment needed; deterministic. index_t: int where all fit.
template <typename index_t, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(256)
    adaptive_pool_lanes_per_output(Op op, Load load, Store store, PoolParts shape, PoolLanes share, int64_t outputs) {
  const int64_t thread = (static_cast<int64_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  const int lane = static_cast<int>(threadIdx.x) & (share.lanes - 1), rows = share.lanes / share.columns;
  const bool live = thread / share.lanes < outputs;
  const index_t i = static_cast<index_t>(live ? thread / share.lanes : outputs - 1);
  index_t plane = i, in[3], begin[3], end[3];
#pragma unroll
  for (int d = 2; d >= 0; --d) {
    const index_t out = static_cast<index_t>(shape.out[d]), o = plane % out;
    in[d] = static_cast<index_t>(shape.in[d]);
    begin[d] = (o * in[d]) / out;
    end[d] = (((o + 1) * in[d]) + out - 1) / out;
    plane /= out;
  }
  auto s = op.identity(0);
  for (index_t z = begin[0]; z < end[0]; ++z)
    for (index_t y = begin[1] + (lane / share.columns); y < end[1]; y += rows) {
      const index_t row = ((((plane * in[0]) + z) * in[1]) + y) * in[2];
#pragma unroll 4
      for (index_t x = begin[2] + (lane & (share.columns - 1)); x < end[2]; x += share.columns) op.take(s, load(row + x), 0);
    }
  for (int other = share.lanes / 2; other > 0; other /= 2) op.take(s, __shfl_xor_sync(0xffffffffu, s, other), 0);
  const int64_t elements = static_cast<int64_t>(end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]);
  if (live && lane == 0) store(i, op.finish(s, i, elements, elements));
}
