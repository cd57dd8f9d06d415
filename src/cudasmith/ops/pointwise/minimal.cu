#include <cstdint>
// ---- chunk
// One thread computes one element. Limited by memory: every operand is read once and the result written
// once, all coalesced. No shared memory; deterministic.
template <typename Load, typename Store>
__global__ void pointwise_thread_per_element(Load load, Store store, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) store(i, load(i));
}
