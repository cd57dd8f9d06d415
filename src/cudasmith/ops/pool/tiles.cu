// Pooling of windows far apart: rows of outputs per block, reduced first down the columns, then along the rows.
#include "groups.cuh"

// ---- chunk
// How blocks share the work. A group is R neighbouring output rows of one plane and depth; a block of
// `threads` takes `per_block` groups, and of each row `width` outputs, whose windows lie in `packs` packs
// of `pitch / packs` columns. `across` blocks share a row.
struct PoolTiles {
  int64_t groups, across;
  int per_block, width, packs, pitch, threads;

  int64_t blocks() const { return ((groups + per_block - 1) / per_block) * across; }
  // States of dynamic shared memory: the reduced columns.
  int64_t shared(int rows) const { return static_cast<int64_t>(rows) * per_block * pitch; }
};

// Tiles for about MOST threads: each reduces ITEMS packs of N columns for R rows. Where blocks share a row,
// each starts at a multiple of UNIT outputs, so that its windows lie in its packs as those of the first do.
template <typename X, int R, int N, int ITEMS, int MOST = 256>
PoolTiles pool_tiles(const PoolShape& shape) {
  constexpr int UNIT = N > 4 ? N : 4, room = MOST * ITEMS;
  constexpr int fits = ((room * N) - (N - 1) - X::extent) / X::stride + 1, most = fits > UNIT ? fits / UNIT * UNIT : UNIT;
  const int64_t groups = shape.planes * shape.out[0] * ((shape.out[1] + R - 1) / R);
  int64_t across = (shape.out[2] + most - 1) / most;
  int width = static_cast<int>((shape.out[2] + across - 1) / across);
  if (across > 1) {
    width = (width + UNIT - 1) / UNIT * UNIT;
    across = (shape.out[2] + width - 1) / width;
  }
  const int before = (N - (X::padding % N)) % N;
  const int packs = (before + ((width - 1) * X::stride) + X::extent + N - 1) / N;
  int per_block = room / packs < 32 ? room / packs : 32;
  if (per_block < 1) per_block = 1;
  if (per_block > groups) per_block = static_cast<int>(groups);
  const int threads = ((per_block * packs) + ITEMS - 1) / ITEMS, block = threads < MOST ? threads : MOST;
  return {groups, across, per_block, width, packs, packs * N, ((block + 31) / 32) * 32};
}

// ---- chunk
// Reduces N columns down the windows of R output rows: each input row is read once for all of them.
template <typename Z, typename Y, int R, int N, typename Op, typename Load>
__device__ __forceinline__ void pool_columns(const Op& op, const Load& load, const PoolShape& shape,
                                             const PoolGroup& group, int64_t column,
                                             typename Op::state (&s)[R][N]) {
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
// Reduces one window of staged columns.
template <typename X, int N, typename Op>
__device__ __forceinline__ typename Op::state pool_single(const Op& op, const PoolTiles& tiles,
                                                          const typename Op::state* staged, int row, int x) {
  constexpr int FIRST = (N - (X::padding % N)) % N;
  const typename Op::state* from = staged + (row * tiles.pitch) + FIRST + (x * X::stride);
  typename Op::state s = from[0];
#pragma unroll
  for (int k = 1; k < X::kernel; ++k) op.take(s, from[k * X::step], 0);
  return s;
}

// ---- chunk
// Writes the tile: neighbouring threads take neighbouring outputs.
template <typename Z, typename Y, typename X, int R, int N, typename Op, typename Store>
__device__ __forceinline__ void pool_write(const Op& op, const Store& store, const PoolShape& shape,
                                           const PoolTiles& tiles, const PoolGroup* groups,
                                           const typename Op::state* staged, int64_t x0) {
  const int width = tiles.width, down = blockDim.x / width, right = blockDim.x % width;
  const int present = shape.out[2] - x0 < width ? static_cast<int>(shape.out[2] - x0) : width;
  int row = threadIdx.x / width, x = threadIdx.x % width;
  while (row < tiles.per_block * R) {
    const PoolGroup& group = groups[row / R];
    const int r = row % R;
    if (r < group.rows && x < present) {
      const typename Op::state s = pool_single<X, N>(op, tiles, staged, row, x);
      const int64_t i = group.out + (r * shape.out[2]) + (x0 + x);
      store(i, pool_finish<Z, Y, X>(op, s, i, shape, group.depth, group.row + (r * Y::stride), x0 + x));
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
// group down its windows, ITEMS such packs in flight, into shared memory; then each output is reduced along its
// row from there. Limited by memory: an input row
// is read once per group that covers it and depth tap. N > 1 needs aligned operands and a width that N divides.
// Dynamic shared memory: tiles.shared(R) states. Deterministic.
template <typename Z, typename Y, typename X, int R, int N, int ITEMS, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(512)
    pool_block_per_rows(Op op, Load load, Store store, PoolShape shape, PoolTiles tiles) {
  using state = typename Op::state;
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
  pool_write<Z, Y, X, R, N>(op, store, shape, tiles, groups, staged, x0);
}
