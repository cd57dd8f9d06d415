// Pooling of overlapping windows: four neighbouring outputs of a few rows per thread.
#include "groups.cuh"

// ---- chunk
// How warps share the work: `lanes` (a power of two) threads take one row of outputs from quad to quad, R
// neighbouring rows at a time; `spans` groups of `lanes` quads cover the row.
struct PoolQuads {
  int64_t groups, spans;
  int lanes;

  int64_t blocks(int threads) const { return (groups * spans * lanes + threads - 1) / threads; }
};

template <int R>
PoolQuads pool_quads(const PoolShape& shape) {
  const int64_t quads = (shape.out[2] + 3) / 4;
  int lanes = 32;
  while (lanes > 1 && lanes / 2 >= quads) lanes /= 2;
  return {shape.planes * shape.out[0] * ((shape.out[1] + R - 1) / R), (quads + lanes - 1) / lanes, lanes};
}

// ---- chunk
template <int N, typename Load>
__device__ __forceinline__ void pool_read_pack(const Load& load, int64_t i, typename Load::value* to) {
  typename Load::value v[N];
  if constexpr (N > 1) {
    load.pack(i, v);
  } else {
    v[0] = load(i);
  }
#pragma unroll
  for (int n = 0; n < N; ++n) to[n] = v[n];
}

// The columns under four neighbouring outputs of one input row, in packs of N; identity outside the row.
template <typename X, int N, int WIDE, typename Op, typename Load>
__device__ __forceinline__ void pool_read_window(const Op& op, const Load& load, int64_t row, int64_t column,
                                                 int64_t in, bool exists, typename Load::value (&window)[WIDE]) {
  if (exists && column >= 0 && column + WIDE <= in) {  // nearly every quad: no tests, no identities
#pragma unroll
    for (int p = 0; p < WIDE; p += N) pool_read_pack<N>(load, row + column + p, window + p);
    return;
  }
#pragma unroll
  for (int p = 0; p < WIDE; p += N) {
#pragma unroll
    for (int n = 0; n < N; ++n) window[p + n] = op.identity(0);
    if (exists && column + p >= 0 && column + p < in) pool_read_pack<N>(load, row + column + p, window + p);
  }
}

// Four neighbouring outputs of R rows: each input row is read once, reduced along its windows in registers,
// and joined to every output row that reads it.
template <typename Z, typename Y, typename X, int R, int N, typename Op, typename Load>
__device__ __forceinline__ void pool_reduce_quads(const Op& op, const Load& load, const PoolShape& shape,
                                                  const PoolGroup& group, int64_t x, typename Op::state (&s)[R][4]) {
  constexpr int FIRST = (N - (X::padding % N)) % N, TALL = ((R - 1) * Y::stride) + Y::extent;
  constexpr int WIDE = (FIRST + (3 * X::stride) + X::extent + N - 1) / N * N;
  const int64_t column = (x * X::stride) - X::padding - FIRST;
#pragma unroll 1
  for (int k = 0; k < Z::kernel; ++k) {
    const int64_t z = group.depth + (k * Z::step);
    if (z < 0 || z >= shape.in[0]) continue;
    const int64_t base = group.in + (((z * shape.in[1]) + group.row) * shape.in[2]);
#pragma unroll
    for (int t = 0; t < TALL; ++t) {
      if (!pool_any_reads<Y, R>(t)) continue;
      const bool exists = group.row + t >= 0 && group.row + t < shape.in[1];
      typename Load::value window[WIDE];
      pool_read_window<X, N>(op, load, base + (t * shape.in[2]), column, shape.in[2], exists, window);
#pragma unroll
      for (int o = 0; o < 4; ++o) {
        typename Op::state along = window[FIRST + (o * X::stride)];
#pragma unroll
        for (int j = 1; j < X::kernel; ++j) op.take(along, window[FIRST + (o * X::stride) + (j * X::step)], 0);
#pragma unroll
        for (int r = 0; r < R; ++r) {
          if (pool_reads<Y>(r, t)) op.take(s[r][o], along, 0);
        }
      }
    }
  }
}

// ---- chunk
// Writes a warp's quads row by row. Packed: each thread its own four. Else through shared memory, so that
// neighbouring threads write neighbouring elements.
template <int R, int THREADS, typename Store, typename T>
__device__ __forceinline__ void pool_store_quads(const Store& store, int64_t out, int64_t width, int rows, int count,
                                                 int64_t left, int lanes, bool packed, const T (&v)[R][4]) {
  __shared__ Columns<T, 4> staged[THREADS / 32][32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
#pragma unroll
  for (int r = 0; r < R; ++r) {
    if (packed) {
      if (r < rows && count > 0) store.pack(out + (r * width), v[r]);
      continue;
    }
    Columns<T, 4> own;
#pragma unroll
    for (int o = 0; o < 4; ++o) own.at[o] = v[r][o];
    __syncwarp();
    staged[warp][lane] = own;
    __syncwarp();
    if (lanes == 32) {  // the warp's outputs lie side by side
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int e = (k * 32) + lane;
        if (r < rows && e < left + (4 * lane)) store(out - (4 * lane) + (r * width) + e, staged[warp][e / 4].at[e % 4]);
      }
      continue;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int e = (k * 32) + lane, from = e / 4, o = e % 4;
      const long long at = __shfl_sync(0xffffffffu, static_cast<long long>(out), from);
      const int present = __shfl_sync(0xffffffffu, r < rows ? count : 0, from);
      if (o < present) store(at + (r * width) + o, staged[warp][from].at[o]);
    }
  }
}

// ---- chunk
// One thread computes four neighbouring outputs of R neighbouring rows, with their overlapping windows in
// registers. Limited by memory: neighbours' loads overlap in the L1 cache, so that an input row comes from
// DRAM once per group of rows that covers it. N > 1 needs aligned operands and an input width that N divides;
// `packed` an output width that 4 divides. Shared memory: THREADS quads for the transposed store. Deterministic.
template <typename Z, typename Y, typename X, int R, int N, int THREADS, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(THREADS)
    pool_thread_per_quads(Op op, Load load, Store store, PoolShape shape, PoolQuads quads, bool packed) {
  const int64_t item = quotient((static_cast<int64_t>(blockIdx.x) * THREADS) + threadIdx.x, quads.lanes);
  const int64_t number = quotient(item, quads.spans), span = item - (number * quads.spans);
  const int64_t x = ((span * quads.lanes) + (threadIdx.x & (quads.lanes - 1))) * 4;
  const PoolGroup group = pool_group<Z, Y, R>(shape, number, quads.groups);
  const int64_t left = group.rows > 0 ? shape.out[2] - x : 0;
  const int count = left < 0 ? 0 : left < 4 ? static_cast<int>(left) : 4;
  typename Op::state s[R][4];
#pragma unroll
  for (int j = 0; j < R * 4; ++j) s[j / 4][j % 4] = op.identity(0);
  if (count > 0) pool_reduce_quads<Z, Y, X, R, N>(op, load, shape, group, x, s);
  typename Store::value v[R][4];
#pragma unroll
  for (int j = 0; j < R * 4; ++j) {
    const int r = j / 4, o = j % 4;
    v[r][o] = 0;
    if (r < group.rows && o < count) {
      v[r][o] = pool_finish<Z, Y, X>(op, s[r][o], 0, shape, group.depth, group.row + (r * Y::stride), x + o);
    }
  }
  pool_store_quads<R, THREADS>(store, group.out + x, shape.out[2], group.rows, count, left, quads.lanes, packed, v);
}
