// Scans, minimal tier: one thread walks one slice.
#include "functors.cuh"

// ---- chunk
// Inclusive scan. One thread per slice walks its `length` elements, `inner` apart, in order (right to left
// when Reverse), keeping the running state in registers. Each element is read once and written once; the
// dependent walk limits it, and along the last dimension the warp's accesses are `length` elements apart,
// so that it also moves more bytes than it needs. No shared memory, no alignment needed, deterministic.
template <bool Reverse, typename Op, typename Load, typename Store>
__global__ void scan_thread_per_slice(Op op, Load load, Store store, int64_t slices, int64_t length,
                                      int64_t inner) {
  const int64_t slice = (static_cast<int64_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  if (slice >= slices) return;
  const int64_t base = ((slice / inner) * (length * inner)) + (slice % inner);
  typename Op::state running = op.identity();
  for (int64_t step = 0; step < length; ++step) {
    const int64_t at = Reverse ? (length - 1) - step : step;
    const int64_t i = base + (at * inner);
    running = op.combine(running, op.make(load(i), at));
    store(i, op.finish(running, i));
  }
}

// ---- chunk
// Exclusive scan: output element k is the scan of the k elements before it (after it when Reverse). One
// thread per slice walks in order, as many outputs as `out_length` says: the `in_length` inputs, or one
// more. Each element is read once and written once; the dependent walk limits it. No shared memory, no
// alignment needed, deterministic.
template <bool Reverse, typename Op, typename Load, typename Store>
__global__ void exclusive_scan_thread_per_slice(Op op, Load load, Store store, int64_t slices,
                                                int64_t in_length, int64_t out_length, int64_t inner) {
  const int64_t slice = (static_cast<int64_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  if (slice >= slices) return;
  const int64_t outer = slice / inner, column = slice % inner;
  typename Op::state running = op.identity();
  for (int64_t step = 0; step < out_length; ++step) {
    const int64_t to = Reverse ? (out_length - 1) - step : step;
    const int64_t out = (((outer * out_length) + to) * inner) + column;
    store(out, op.finish(running, out));
    if (step + 1 >= out_length) break;
    const int64_t from = Reverse ? (in_length - 1) - step : step;
    running = op.combine(running, op.make(load((((outer * in_length) + from) * inner) + column), from));
  }
}
