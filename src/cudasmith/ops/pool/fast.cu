// Pooling, fast tier: rows of outputs per block, reduced first down the columns, then along the rows.
#include "windows.cuh"

// ---- chunk
// How blocks share the work. A group is R neighbouring output rows of one plane and depth; a block of
// `threads` takes `per_block` groups, and of each row `width` outputs, whose windows lie in `packs` packs
// of `pitch / packs` columns. `across` blocks share a row. `quads` fours of outputs cover the width.
struct PoolTiles {
  int64_t groups, across;
  int per_block, width, packs, pitch, threads, quads;

  int64_t blocks() const { return ((groups + per_block - 1) / per_block) * across; }
  // States of dynamic shared memory: the reduced columns, then the outputs in fours.
  int64_t shared(int rows) const { return static_cast<int64_t>(rows) * per_block * (pitch + (4 * quads)); }
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
  const int before = (N - (X::padding % N)) % N, quads = (width + 3) / 4;
  const int packs = (before + (((4 * quads) - 1) * X::stride) + X::extent + N - 1) / N;
  int per_block = room / packs < 32 ? room / packs : 32;
  if (per_block < 1) per_block = 1;
  if (per_block > groups) per_block = static_cast<int>(groups);
  const int threads = ((per_block * packs) + ITEMS - 1) / ITEMS, block = threads < MOST ? threads : MOST;
  return {groups, across, per_block, width, packs, packs * N, ((block + 31) / 32) * 32, quads};
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
// What one output is made from its reduced window: a constant count inside, a counted one at the edges.
template <typename Z, typename Y, typename X, typename Op>
__device__ __forceinline__ auto pool_finish(const Op& op, typename Op::state s, int64_t i, const PoolShape& shape,
                                            int64_t depth, int64_t row, int64_t x) {
  const int64_t left = (x * X::stride) - X::padding;
  const bool inside = depth >= 0 && depth + Z::extent <= shape.in[0] && row >= 0 && row + Y::extent <= shape.in[1] &&
                      left >= 0 && left + X::extent <= shape.in[2];
  if (inside) return op.template finish_full<Z::kernel * Y::kernel * X::kernel>(s, i);
  const Span zs = Z::span_at(depth, shape.in[0]), ys = Y::span_at(row, shape.in[1]), xs = X::span(x, shape.in[2], 0);
  const int64_t elements = zs.count() * ys.count() * xs.count();
  return op.finish(s, i, elements, zs.padded * ys.padded * xs.padded);
}

// ---- chunk
// Reduces the staged columns along the rows, four neighbouring outputs per thread, whose windows overlap in
// registers: a column is read from shared memory once per four outputs, in packs.
template <typename X, int R, int N, typename Op>
__device__ __forceinline__ void pool_quads(const Op& op, const PoolTiles& tiles, const typename Op::state* staged,
                                           typename Op::state* outputs) {
  using state = typename Op::state;
  constexpr int FIRST = (N - (X::padding % N)) % N, PACKS = (FIRST + (3 * X::stride) + X::extent + N - 1) / N;
  const int total = tiles.per_block * R * tiles.quads;
  for (int item = threadIdx.x; item < total; item += blockDim.x) {
    const int row = item / tiles.quads, quad = item - (row * tiles.quads);
    const state* from = staged + (row * tiles.pitch) + (quad * 4 * X::stride);
    state window[PACKS * N];
#pragma unroll
    for (int p = 0; p < PACKS; ++p) {
      const auto packed = *reinterpret_cast<const Columns<state, N>*>(from + (p * N));
#pragma unroll
      for (int n = 0; n < N; ++n) window[(p * N) + n] = packed.at[n];
    }
    Columns<state, 4> result;
#pragma unroll
    for (int o = 0; o < 4; ++o) {
      state s = window[FIRST + (o * X::stride)];
#pragma unroll
      for (int k = 1; k < X::kernel; ++k) op.take(s, window[FIRST + (o * X::stride) + (k * X::step)], 0);
      result.at[o] = s;
    }
    *reinterpret_cast<Columns<state, 4>*>(outputs + (item * 4)) = result;
  }
}

// ---- chunk
// Reduces one window of staged columns; its four neighbours are computed by other threads.
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
template <typename Z, typename Y, typename X, int R, int N, bool QUADS, typename Op, typename Store>
__device__ __forceinline__ void pool_write(const Op& op, const Store& store, const PoolShape& shape,
                                           const PoolTiles& tiles, const PoolGroup* groups,
                                           const typename Op::state* staged, const typename Op::state* outputs,
                                           int64_t x0) {
  const int width = tiles.width, down = blockDim.x / width, right = blockDim.x % width;
  const int present = shape.out[2] - x0 < width ? static_cast<int>(shape.out[2] - x0) : width;
  int row = threadIdx.x / width, x = threadIdx.x % width;
  while (row < tiles.per_block * R) {
    const PoolGroup& group = groups[row / R];
    const int r = row % R;
    if (r < group.rows && x < present) {
      const typename Op::state s = QUADS ? outputs[(row * tiles.quads * 4) + x] : pool_single<X, N>(op, tiles, staged, row, x);
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
// group down its windows, ITEMS such packs in flight, into shared memory; then outputs are reduced along their
// rows from there, in fours where their windows overlap, and written in order. Limited by memory: an input row
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
  constexpr bool QUADS = X::stride <= 2 && X::extent <= 32;
  state* outputs = staged + (tiles.per_block * R * pitch);
  if constexpr (QUADS) {
    pool_quads<X, R, N>(op, tiles, staged, outputs);
    __syncthreads();
  }
  pool_write<Z, Y, X, R, N, QUADS>(op, store, shape, tiles, groups, staged, outputs, x0);
}

// ---- chunk
// How warps share the work: `lanes` (a power of two) threads take one row of outputs from quad to quad, R
// neighbouring rows at a time; `spans` groups of `lanes` quads cover the row.
struct PoolQuads {
  int64_t groups, spans;
  int lanes;

  int64_t blocks() const { return (groups * spans * lanes + 255) / 256; }
};

template <int R>
PoolQuads pool_quads(const PoolShape& shape) {
  const int64_t quads = (shape.out[2] + 3) / 4;
  int lanes = 32;
  while (lanes > 1 && lanes / 2 >= quads) lanes /= 2;
  return {shape.planes * shape.out[0] * ((shape.out[1] + R - 1) / R), (quads + lanes - 1) / lanes, lanes};
}

// ---- chunk
// The columns under four neighbouring outputs of one input row, in packs of N; identity outside the row.
template <typename X, int N, int WIDE, typename Op, typename Load>
__device__ __forceinline__ void pool_read_window(const Op& op, const Load& load, int64_t row, int64_t column,
                                                 int64_t in, bool exists, typename Load::value (&window)[WIDE]) {
#pragma unroll
  for (int p = 0; p < WIDE; p += N) {
    typename Load::value v[N];
#pragma unroll
    for (int n = 0; n < N; ++n) v[n] = op.identity(0);
    if (exists && column + p >= 0 && column + p < in) {
      if constexpr (N > 1) {
        load.pack(row + column + p, v);
      } else {
        v[0] = load(row + column + p);
      }
    }
#pragma unroll
    for (int n = 0; n < N; ++n) window[p + n] = v[n];
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
template <int R, typename Store, typename T>
__device__ __forceinline__ void pool_store_quads(const Store& store, int64_t out, int64_t width, int rows, int count,
                                                 bool packed, const T (&v)[R][4]) {
  __shared__ Columns<T, 4> staged[8][32];
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
// `packed` an output width that 4 divides. Shared memory: 256 quads for the transposed store. Deterministic.
template <typename Z, typename Y, typename X, int R, int N, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(256)
    pool_thread_per_quads(Op op, Load load, Store store, PoolShape shape, PoolQuads quads, bool packed) {
  const int64_t item = quotient((static_cast<int64_t>(blockIdx.x) * 256) + threadIdx.x, quads.lanes);
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
    v[r][o] = typename Store::value(0);
    if (r < group.rows && o < count) {
      v[r][o] = pool_finish<Z, Y, X>(op, s[r][o], 0, shape, group.depth, group.row + (r * Y::stride), x + o);
    }
  }
  pool_store_quads<R>(store, group.out + x, shape.out[2], group.rows, count, packed, v);
}
