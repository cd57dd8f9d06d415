#include <cstdint>
// ---- chunk
// One thread computes PACKS packs of N neighbours, a block's width apart, so that each access moves
// 16 bytes and PACKS of them are in flight per operand. Limited by memory: each operand is read once and
// the result written once. N > 1 needs 16-byte aligned operands; the last partial pack goes element by
// element. No shared memory; deterministic. PACKS = 1 was
// fastest, with 2 equal for cheap chains: NVIDIA H200, 2026-12-02.
template <int N, int PACKS, typename Load, typename Store>
__global__ void __launch_bounds__(256) pointwise_thread_per_packs(Load load, Store store, int64_t n) {
  const int64_t first = (static_cast<int64_t>(blockIdx.x) * blockDim.x * PACKS + threadIdx.x) * N;
  const int64_t step = static_cast<int64_t>(blockDim.x) * N;
  typename Load::value v[PACKS][N];
#pragma unroll
  for (int p = 0; p < PACKS; ++p) {
    if (first + p * step + N <= n) load.pack(first + p * step, v[p]);
  }
#pragma unroll
  for (int p = 0; p < PACKS; ++p) {
    int64_t i = first + p * step;
    if (i + N <= n) {
      store.pack(i, v[p]);
    } else {
      for (; i < n; ++i) store(i, load(i));
    }
  }
}
