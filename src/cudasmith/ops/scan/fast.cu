// Scans, fast tier. Along the last dimension: lane groups, warps or blocks per row; along any other: threads
// or blocks per column. Long slices that are too few to fill the device are split into chunks.
#include <cstring>

#include "functors.cuh"

// ---- chunk
// The sizes of a scan: `slices` independent ones, whose elements lie `inner` apart. Each is cut into
// `chunks` of `chunk_length` outputs (1 chunk: the whole slice).
struct ScanShape {
  int64_t slices, in_length, out_length, inner, chunks, chunk_length;

  // Cuts slices into about `wanted` chunks of whole tiles, two tiles or more each.
  void split(int64_t tile, int64_t wanted) {
    const int64_t tiles = (out_length + tile - 1) / tile;
    const int64_t parts = wanted < tiles / 2 ? wanted : tiles / 2;
    if (parts <= 1) return;
    chunk_length = ((tiles + parts - 1) / parts) * tile;
    chunks = (out_length + chunk_length - 1) / chunk_length;
  }
};

// How many of the `most` positions from `p` on lie before `end`.
__device__ __forceinline__ int count_before(int64_t end, int64_t p, int most) {
  return end - p < most ? static_cast<int>(end - p) : most;
}

// ---- chunk
// Shuffles of any trivially copyable type, word by word. Lanes with nothing `by` below keep their own.
template <typename S>
__device__ __forceinline__ S lane_below(S s, int by, int width) {
  constexpr int words = (sizeof(S) + 3) / 4;
  unsigned word[words] = {};
  memcpy(word, &s, sizeof(S));
#pragma unroll
  for (int w = 0; w < words; ++w) word[w] = __shfl_up_sync(0xffffffffu, word[w], by, width);
  memcpy(&s, word, sizeof(S));
  return s;
}

template <typename S>
__device__ __forceinline__ S last_lane(S s) {
  constexpr int words = (sizeof(S) + 3) / 4;
  unsigned word[words] = {};
  memcpy(word, &s, sizeof(S));
#pragma unroll
  for (int w = 0; w < words; ++w) word[w] = __shfl_sync(0xffffffffu, word[w], 31);
  memcpy(&s, word, sizeof(S));
  return s;
}

// Inclusive scan over groups of `width` lanes (a power of two).
template <typename Op>
__device__ __forceinline__ typename Op::state scan_lanes(const Op& op, typename Op::state s, int width) {
  const int lane = threadIdx.x & (width - 1);
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    if (by >= width) break;
    const typename Op::state below = lane_below(s, by, width);
    if (lane >= by) s = op.combine(below, s);
  }
  return s;
}

// ---- chunk
// N elements at scan positions p .. p+N-1 of a row: neighbours in memory, mirrored when Reverse.
template <bool Reverse, int N, typename Load>
__device__ __forceinline__ void read_row(const Load& load, int64_t row, int64_t length, int64_t p,
                                         typename Load::value (&v)[N]) {
  if constexpr (N == 1) {
    v[0] = load((row * length) + (Reverse ? length - 1 - p : p));
  } else if constexpr (Reverse) {
    typename Load::value mirrored[N];
    load.pack((row * length) + (length - N - p), mirrored);
#pragma unroll
    for (int n = 0; n < N; ++n) v[n] = mirrored[N - 1 - n];
  } else {
    load.pack((row * length) + p, v);
  }
}

// Writes N outputs at scan positions p .. p+N-1: the prefix joined with the lane's own running states,
// those before each element when Exclusive.
template <bool Reverse, bool Exclusive, int N, typename Op, typename Store>
__device__ __forceinline__ void write_row(const Op& op, const Store& store, int64_t row, int64_t length, int64_t p,
                                          typename Op::state prefix, const typename Op::state (&s)[N]) {
  const int64_t first = (row * length) + (Reverse ? length - N - p : p);
  typename Store::value v[N];
#pragma unroll
  for (int n = 0; n < N; ++n) {
    typename Op::state result = prefix;
    if (!Exclusive) result = op.combine(prefix, s[n]);
    if (Exclusive && n > 0) result = op.combine(prefix, s[n > 0 ? n - 1 : 0]);
    const int at = Reverse ? N - 1 - n : n;
    v[at] = op.finish(result, first + at);
  }
  if constexpr (N == 1) {
    store(first, v[0]);
  } else {
    store.pack(first, v);
  }
}

// ---- chunk
// The state of all chunks before this one: every lane of the warp gets it. Totals are joined in order.
template <typename Op>
__device__ typename Op::state state_before(const Op& op, const typename Op::state* totals, int64_t count) {
  const int lane = threadIdx.x & 31;
  typename Op::state before = op.identity();
  for (int64_t c = 0; c < count; c += 32) {
    typename Op::state s = op.identity();
    if (c + lane < count) s = totals[c + lane];
    before = op.combine(before, last_lane(scan_lanes(op, s, 32)));
  }
  return before;
}

// ---- chunk
// Scans chunk `chunk` of row `row` with WARPS warps. A tile is WARPS contiguous spans, one per warp; a span
// is PACKS segments of 32 packs of N neighbours, so that a warp's access covers 32 * N neighbours. The next
// tile's packs are fetched before this one is scanned. Within a tile: elements of a pack in registers, packs
// of a segment by shuffles, segments in order, spans through shared memory, tiles through `carry`.
template <bool Reverse, bool Exclusive, bool Totals, int WARPS, int PACKS, int N, typename Op, typename Load,
          typename Store>
__device__ __forceinline__ void scan_row(const Op& op, const Load& load, const Store& store, const ScanShape& shape,
                                         int64_t row, int64_t chunk, typename Op::state* totals) {
  using state = typename Op::state;
  constexpr int SEGMENT = 32 * N, SPAN = PACKS * SEGMENT, TILE = WARPS * SPAN;
  const int lane = threadIdx.x & 31, warp = WARPS > 1 ? threadIdx.x / 32 : 0;
  const int64_t begin = chunk * shape.chunk_length;
  const int64_t end = begin + shape.chunk_length < shape.out_length ? begin + shape.chunk_length : shape.out_length;
  const int64_t readable = end < shape.in_length ? end : shape.in_length;
  __shared__ state span_totals[2][WARPS];
  state carry = op.identity();
  if (!Totals && chunk > 0) carry = state_before(op, totals + (row * shape.chunks), chunk);

  typename Load::value next[PACKS][N] = {};
  const auto fetch = [&](int64_t p) {
    const int count = count_before(readable, p, SPAN);
#pragma unroll
    for (int k = 0; k < PACKS; ++k) {
      if (k * SEGMENT < count) read_row<Reverse>(load, row, shape.in_length, p + (k * SEGMENT), next[k]);
    }
  };
  const int64_t offset = (warp * SPAN) + (lane * N);
  fetch(begin + offset);
  int parity = 0;
#pragma unroll 1
  for (int64_t tile = begin; tile < end; tile += TILE, parity ^= 1) {
    const int64_t p = tile + offset;
    const int count = count_before(readable, p, SPAN), span = count_before(readable, p - (lane * N), SPAN);
    state s[PACKS][N], prefix[PACKS], total = op.identity();
#pragma unroll
    for (int k = 0; k < PACKS; ++k) {
#pragma unroll
      for (int n = 0; n < N; ++n) {
        s[k][n] = k * SEGMENT < count ? op.make(next[k][n], p + (k * SEGMENT) + n) : op.identity();
        if (n > 0) s[k][n] = op.combine(s[k][n > 0 ? n - 1 : 0], s[k][n]);
      }
    }
    if (tile + TILE < end) fetch(p + TILE);
#pragma unroll
    for (int k = 0; k < PACKS; ++k) {
      prefix[k] = total;
      if (k * SEGMENT >= span) continue;  // the same in all lanes
      const state reached = scan_lanes(op, s[k][N - 1], 32);
      const state below = lane_below(reached, 1, 32);
      if (lane > 0) prefix[k] = op.combine(total, below);
      total = op.combine(total, last_lane(reached));
    }
    state before = carry;
    if constexpr (WARPS > 1) {
      if (lane == 0) span_totals[parity][warp] = total;
      __syncthreads();  // one per tile: the other parity is written meanwhile
#pragma unroll
      for (int w = 0; w < WARPS; ++w) {
        if (w == warp) before = carry;
        carry = op.combine(carry, span_totals[parity][w]);
      }
    } else {
      carry = op.combine(carry, total);
    }
    if constexpr (!Totals) {
      const int writable = count_before(end, p, SPAN);
#pragma unroll
      for (int k = 0; k < PACKS; ++k) {
        if (k * SEGMENT >= writable) continue;
        const state base = op.combine(before, prefix[k]);
        write_row<Reverse, Exclusive>(op, store, row, shape.out_length, p + (k * SEGMENT), base, s[k]);
      }
    }
  }
  if (Totals && threadIdx.x == 0) totals[(row * shape.chunks) + chunk] = carry;
}

// ---- chunk
// One block of WARPS warps scans one row, or one chunk of it, tile after tile. Limited by memory: each
// element is read once and written once, coalesced; packed, 16 bytes per access (then every operand is
// 16-byte aligned and N divides both lengths), else one element per access. With Totals nothing but the
// chunk's total is written, for a second launch to start from: such rows are read twice. Shared memory:
// 2 * WARPS states. Deterministic: the joins depend only on the sizes.
template <bool Reverse, bool Exclusive, bool Totals, int WARPS, int PACKS, int N, typename Op, typename Load,
          typename Store>
__global__ void __launch_bounds__(32 * WARPS, 32 / WARPS)
    scan_block_per_row(Op op, Load load, Store store, ScanShape shape, bool packed, typename Op::state* totals) {
  const int64_t row = blockIdx.x / shape.chunks, chunk = blockIdx.x % shape.chunks;
  if constexpr (N > 1) {
    if (packed) {
      scan_row<Reverse, Exclusive, Totals, WARPS, PACKS, N>(op, load, store, shape, row, chunk, totals);
      return;
    }
  }
  constexpr int SINGLES = N > 1 ? PACKS * N / 2 : PACKS;
  scan_row<Reverse, Exclusive, Totals, WARPS, SINGLES, 1>(op, load, store, shape, row, chunk, totals);
}

// ---- chunk
// One warp scans one row, 8 rows per block: for rows too short to feed a block. Limited by memory: each
// element is read once and written once, coalesced; packed, 16 bytes per access (then every operand is
// 16-byte aligned and N divides both lengths). No barrier; deterministic.
template <bool Reverse, bool Exclusive, int PACKS, int N, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(256, 4)
    scan_warp_per_row(Op op, Load load, Store store, ScanShape shape, bool packed) {
  const int64_t row = (static_cast<int64_t>(blockIdx.x) * 8) + (threadIdx.x / 32);
  if (row >= shape.slices) return;
  if constexpr (N > 1) {
    if (packed) {
      scan_row<Reverse, Exclusive, false, 1, PACKS, N>(op, load, store, shape, row, 0, nullptr);
      return;
    }
  }
  constexpr int SINGLES = N > 1 ? PACKS * N / 2 : PACKS;
  scan_row<Reverse, Exclusive, false, 1, SINGLES, 1>(op, load, store, shape, row, 0, nullptr);
}

// ---- chunk
// `width` lanes (a power of two) scan one row of at most width * N elements. A warp takes PACKS * 32 / width
// neighbouring rows and fetches all of them before it scans. Limited by memory: each element is read once
// and written once; packed as in scan_warp_per_row. No shared memory; deterministic.
template <bool Reverse, bool Exclusive, int PACKS, int N, typename Op, typename Load, typename Store>
__device__ __forceinline__ void scan_short_rows(const Op& op, const Load& load, const Store& store,
                                                const ScanShape& shape, int width) {
  using state = typename Op::state;
  const int lane = threadIdx.x & 31, rows = 32 / width;
  const int64_t warp = (static_cast<int64_t>(blockIdx.x) * 8) + (threadIdx.x / 32);
  const int64_t first = (warp * PACKS * rows) + (lane / width), p = (lane & (width - 1)) * N;
  typename Load::value v[PACKS][N] = {};
#pragma unroll
  for (int k = 0; k < PACKS; ++k) {
    const int64_t row = first + (k * rows);
    if (row < shape.slices && p < shape.in_length) read_row<Reverse>(load, row, shape.in_length, p, v[k]);
  }
#pragma unroll
  for (int k = 0; k < PACKS; ++k) {
    const int64_t row = first + (k * rows);
    state s[N];
#pragma unroll
    for (int n = 0; n < N; ++n) {
      s[n] = p < shape.in_length ? op.make(v[k][n], p + n) : op.identity();
      if (n > 0) s[n] = op.combine(s[n > 0 ? n - 1 : 0], s[n]);
    }
    const state below = lane_below(scan_lanes(op, s[N - 1], width), 1, width);
    if (row < shape.slices && p < shape.out_length) {
      const state prefix = (lane & (width - 1)) > 0 ? below : op.identity();
      write_row<Reverse, Exclusive>(op, store, row, shape.out_length, p, prefix, s);
    }
  }
}

template <bool Reverse, bool Exclusive, int PACKS, int N, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(256, 4)
    scan_lanes_per_row(Op op, Load load, Store store, ScanShape shape, int width, bool packed) {
  if constexpr (N > 1) {
    if (packed) {
      scan_short_rows<Reverse, Exclusive, PACKS, N>(op, load, store, shape, width);
      return;
    }
  }
  scan_short_rows<Reverse, Exclusive, PACKS, 1>(op, load, store, shape, width);
}

// ---- chunk
// Scans one chunk of one column with WARPS threads, one in each warp; lanes take neighbouring columns, so
// that a warp's access covers 32 neighbours where `inner` allows. In a tile each thread takes ROWS elements
// in a run, fetched before the tile before is scanned; runs are joined through shared memory.
template <bool Reverse, bool Exclusive, bool Totals, int WARPS, int ROWS, typename Op, typename Load, typename Store>
__device__ __forceinline__ void scan_column(const Op& op, const Load& load, const Store& store,
                                            const ScanShape& shape, int64_t slice, int64_t chunk,
                                            typename Op::state* totals) {
  using state = typename Op::state;
  constexpr int TILE = WARPS * ROWS;
  const int lane = threadIdx.x & 31, warp = WARPS > 1 ? threadIdx.x / 32 : 0;
  const bool active = slice < shape.slices;
  const int64_t outer = slice / shape.inner, column = slice % shape.inner;
  const int64_t begin = chunk * shape.chunk_length;
  const int64_t end = begin + shape.chunk_length < shape.out_length ? begin + shape.chunk_length : shape.out_length;
  const int64_t readable = end < shape.in_length ? end : shape.in_length;
  const int64_t step = Reverse ? -shape.inner : shape.inner;
  const auto element = [&](int64_t p, int64_t length) {
    return (((outer * length) + (Reverse ? length - 1 - p : p)) * shape.inner) + column;
  };
  __shared__ state run_totals[2][WARPS][32];
  state carry = op.identity();
  if (!Totals && active) {
#pragma unroll 8
    for (int64_t c = 0; c < chunk; ++c) carry = op.combine(carry, totals[(c * shape.slices) + slice]);
  }

  typename Load::value next[ROWS] = {};
  const auto fetch = [&](int64_t p) {
    const int count = active ? count_before(readable, p, ROWS) : 0;
    int64_t i = element(p, shape.in_length);
#pragma unroll
    for (int r = 0; r < ROWS; ++r, i += step) {
      if (r < count) next[r] = load(i);
    }
  };
  fetch(begin + (warp * ROWS));
  int parity = 0;
#pragma unroll 1
  for (int64_t tile = begin; tile < end; tile += TILE, parity ^= 1) {
    const int64_t p = tile + (warp * ROWS);
    const int count = count_before(readable, p, ROWS);
    state s[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      s[r] = r < count ? op.make(next[r], p + r) : op.identity();
      if (r > 0) s[r] = op.combine(s[r > 0 ? r - 1 : 0], s[r]);
    }
    if (tile + TILE < end) fetch(p + TILE);
    state before = carry;
    if constexpr (WARPS > 1) {
      run_totals[parity][warp][lane] = s[ROWS - 1];
      __syncthreads();  // one per tile: the other parity is written meanwhile
#pragma unroll
      for (int w = 0; w < WARPS; ++w) {
        if (w == warp) before = carry;
        carry = op.combine(carry, run_totals[parity][w][lane]);
      }
    } else {
      carry = op.combine(carry, s[ROWS - 1]);
    }
    if constexpr (!Totals) {
      const int writable = active ? count_before(end, p, ROWS) : 0;
      int64_t i = element(p, shape.out_length);
#pragma unroll
      for (int r = 0; r < ROWS; ++r, i += step) {
        if (r >= writable) continue;
        state result = before;
        if (!Exclusive) result = op.combine(before, s[r]);
        if (Exclusive && r > 0) result = op.combine(before, s[r > 0 ? r - 1 : 0]);
        store(i, op.finish(result, i));
      }
    }
  }
  if (Totals && active && warp == 0) totals[(chunk * shape.slices) + slice] = carry;
}

// ---- chunk
// One block scans 32 neighbouring columns, or one chunk of them, WARPS threads per column. Limited by
// memory: each element is read once and written once, 32 elements per warp access. With Totals nothing but
// the chunks' totals are written, for a second launch to start from: such columns are read twice. Shared
// memory: 64 * WARPS states. No alignment needed; deterministic: the joins depend only on the sizes.
template <bool Reverse, bool Exclusive, bool Totals, int WARPS, int ROWS, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(32 * WARPS, 32 / WARPS)
    scan_block_per_columns(Op op, Load load, Store store, ScanShape shape, typename Op::state* totals) {
  const int64_t slice = ((blockIdx.x / shape.chunks) * 32) + (threadIdx.x & 31);
  scan_column<Reverse, Exclusive, Totals, WARPS, ROWS>(op, load, store, shape, slice, blockIdx.x % shape.chunks,
                                                       totals);
}

// ---- chunk
// One thread scans one column, ROWS loads in flight: for columns many enough to fill the device or too
// short to share. Limited by memory: each element is read once and written once, 32 elements per warp
// access where `inner` allows. No alignment needed; deterministic.
template <bool Reverse, bool Exclusive, int ROWS, typename Op, typename Load, typename Store>
__global__ void __launch_bounds__(256, 4)
    scan_thread_per_column(Op op, Load load, Store store, ScanShape shape) {
  const int64_t slice = (static_cast<int64_t>(blockIdx.x) * 256) + threadIdx.x;
  if (slice >= shape.slices) return;
  scan_column<Reverse, Exclusive, false, 1, ROWS>(op, load, store, shape, slice, 0, nullptr);
}
