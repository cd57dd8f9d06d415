// Pooling, fast tier: rows of outputs per block, reduced first down the columns, then along the rows.
#include "reductions.cuh"

// ---- chunk
// Sizes of depth, height and width (1 where the rank is lower) before and after; `planes` of them.
struct PoolSizes {
  int64_t planes, in[3], out[3];
};

// The elements of one window along one axis; `padded` also counts the padding under it.
struct Span {
  int64_t elements, padded;
};

// A sliding window along one axis: output o covers elements o * S - P + j * D of the input, j < K.
template <int K, int S, int P, int D>
struct Window {
  static constexpr int kernel = K, stride = S, padding = P, step = D, extent = ((K - 1) * D) + 1;
  // Counted for D = 1, for means: windows of maxima need no counts.
  static __device__ __forceinline__ Span span(int64_t begin, int64_t in) {
    const int64_t end = begin + extent, last = end < in ? end : in;
    return {last - (begin > 0 ? begin : 0), (end < in + P ? end : in + P) - begin};
  }
};

// ---- chunk
// How blocks share the work. A group is R neighbouring output rows of one plane and depth; a block of
// `threads` takes `per_block` groups, and of each row `width` outputs, whose windows lie in `packs` packs
// of `pitch / packs` columns. `across` blocks share a row.
struct PoolTiles {
  int64_t groups, across;
  int per_block, width, packs, pitch, threads;

  int64_t blocks() const { return ((groups + per_block - 1) / per_block) * across; }
};

// Tiles for about MOST threads: each reduces ITEMS packs of N columns for R rows.
template <typename X, int R, int N, int ITEMS, int MOST = 256>
PoolTiles pool_tiles(const PoolSizes& shape) {
  constexpr int room = MOST * ITEMS, most = ((room * N) - (N - 1) - X::extent) / X::stride + 1;
  const int64_t groups = shape.planes * shape.out[0] * ((shape.out[1] + R - 1) / R);
  const int64_t across = (shape.out[2] + most - 1) / most;
  const int width = static_cast<int>((shape.out[2] + across - 1) / across);
  const int before = across > 1 ? N - 1 : (N - (X::padding % N)) % N;
  const int packs = (before + ((width - 1) * X::stride) + X::extent + N - 1) / N;
  int per_block = room / packs < 32 ? room / packs : 32;
  if (per_block > groups) per_block = static_cast<int>(groups);
  const int threads = ((per_block * packs) + ITEMS - 1) / ITEMS;
  return {groups, across, per_block, width, packs, packs * N, ((threads + 31) / 32) * 32};
}

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

template <typename Z, typename Y, int R>
__device__ __forceinline__ PoolGroup pool_group(const PoolSizes& shape, int64_t group, int64_t groups) {
  const int64_t down = (shape.out[1] + R - 1) / R, above = group / shape.out[0];
  const int64_t z = group % shape.out[0], y = (above % down) * R, plane = above / down;
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

// Reduces N columns down the windows of R output rows: each input row is read once for all of them.
template <typename Z, typename Y, int R, int N, typename Op, typename Load>
__device__ __forceinline__ void pool_columns(const Op& op, const Load& load, const PoolSizes& shape,
                                             const PoolGroup& group, int64_t column,
                                             typename Load::value (&s)[R][N]) {
  constexpr int TALL = ((R - 1) * Y::stride) + Y::extent;
#pragma unroll 1
  for (int k = 0; k < Z::kernel; ++k) {
    const int64_t z = group.depth + (k * Z::step);
    if (z < 0 || z >= shape.in[0]) continue;
    const int64_t base = group.in + (z * (shape.in[1] * shape.in[2])) + column;
#pragma unroll
    for (int t = 0; t < TALL; ++t) {
      if (!pool_any_reads<Y, R>(t)) continue;
      const int64_t y = group.row + t;
      typename Load::value v[N];
#pragma unroll
      for (int n = 0; n < N; ++n) v[n] = op.identity(0);
      if (y >= 0 && y < shape.in[1]) {
        if constexpr (N > 1) {
          load.pack(base + (y * shape.in[2]), v);
        } else {
          v[0] = load(base + (y * shape.in[2]));
        }
      }
#pragma unroll
      for (int r = 0; r < R; ++r) {
        if (!pool_reads<Y>(r, t)) continue;
#pragma unroll
        for (int n = 0; n < N; ++n) op.take(s[r][n], v[n], 0);
      }
    }
  }
}

// ---- chunk
// Reduces the staged columns along the rows: neighbouring threads take neighbouring outputs.
template <typename Z, typename Y, typename X, int R, typename Op, typename Store>
__device__ __forceinline__ void pool_along_rows(const Op& op, const Store& store, const PoolSizes& shape,
                                                const PoolTiles& tiles, const PoolGroup* groups,
                                                const typename Store::value* staged, int64_t x0) {
  const int width = tiles.width, down = blockDim.x / width, right = blockDim.x % width;
  int row = threadIdx.x / width, x = threadIdx.x % width;
  while (row < tiles.per_block * R) {
    const PoolGroup& group = groups[row / R];
    const int r = row % R;
    if (r < group.rows && x0 + x < shape.out[2]) {
      const typename Store::value* from = staged + (row * tiles.pitch) + (x * X::stride);
      auto s = op.identity(0);
#pragma unroll
      for (int k = 0; k < X::kernel; ++k) op.take(s, from[k * X::step], 0);
      const Span zs = Z::span(group.depth, shape.in[0]);
      const Span ys = Y::span(group.row + (r * Y::stride), shape.in[1]);
      const Span xs = X::span(((x0 + x) * X::stride) - X::padding, shape.in[2]);
      const int64_t i = group.out + (r * shape.out[2]) + (x0 + x);
      store(i, op.finish(s, i, zs.elements * ys.elements * xs.elements, zs.padded * ys.padded * xs.padded));
    }
    row += down;
    x += right;
    if (x >= width) {
      x -= width;
      ++row;
    }
  }
}

// ---- chunk
// A block computes a tile of `per_block` groups of R output rows. First each thread reduces N columns of a
// group down its windows, ITEMS such packs in flight, into shared memory; then each output is reduced along
// its row from there. Limited by memory: an input row is read once per group that covers it and depth tap.
// N > 1 needs aligned operands and a width that N divides. Dynamic shared memory: per_block * R * packs * N
// states. Deterministic.
template <typename Z, typename Y, typename X, int R, int N, int ITEMS, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(512)
    pool_block_per_rows(Op op, Load load, Store store, PoolSizes shape, PoolTiles tiles) {
  using state = typename Load::value;
  extern __shared__ __align__(16) unsigned char pool_staged[];
  state* staged = reinterpret_cast<state*>(pool_staged);  // [per_block, R, packs * N]
  __shared__ PoolGroup groups[32];
  const int64_t first_group = (blockIdx.x / tiles.across) * tiles.per_block;
  const int64_t x0 = (blockIdx.x % tiles.across) * tiles.width, left = (x0 * X::stride) - X::padding;
  const int64_t column0 = left & ~static_cast<int64_t>(N - 1);
  const int pitch = tiles.pitch, threads = blockDim.x;
  if (static_cast<int>(threadIdx.x) < tiles.per_block) {
    groups[threadIdx.x] = pool_group<Z, Y, R>(shape, first_group + threadIdx.x, tiles.groups);
  }
  __syncthreads();
  for (int start = threadIdx.x; start < tiles.per_block * tiles.packs; start += ITEMS * threads) {
    state s[ITEMS][R][N];
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
#pragma unroll
      for (int j = 0; j < R * N; ++j) s[k][j / N][j % N] = op.identity(0);
      const int p = start + (k * threads), g = p / tiles.packs;
      const int64_t column = column0 + ((p - (g * tiles.packs)) * N);
      if (g < tiles.per_block && groups[g].rows > 0 && column >= 0 && column < shape.in[2]) {
        pool_columns<Z, Y, R, N>(op, load, shape, groups[g], column, s[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
      const int p = start + (k * threads), g = p / tiles.packs;
      if (g >= tiles.per_block) continue;
      state* to = staged + (g * R * pitch) + ((p - (g * tiles.packs)) * N);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        Columns<state, N> packed;
#pragma unroll
        for (int n = 0; n < N; ++n) packed.at[n] = s[k][r][n];
        *reinterpret_cast<Columns<state, N>*>(to + (r * pitch)) = packed;
      }
    }
  }
  __syncthreads();
  pool_along_rows<Z, Y, X, R>(op, store, shape, tiles, groups, staged + (left - column0), x0);
}
