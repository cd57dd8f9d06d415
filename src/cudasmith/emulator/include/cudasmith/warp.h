// Barriers, shuffles, votes and reductions.
#pragma once
#include "runtime.h"

#define CUDASMITH_HERE int line = __builtin_LINE()

static inline void __syncthreads(CUDASMITH_HERE) { ::cudasmith::block_barrier(false, line); }
static inline int __syncthreads_count(int p, CUDASMITH_HERE) { return ::cudasmith::block_barrier(p != 0, line); }
static inline int __syncthreads_or(int p, CUDASMITH_HERE) { return ::cudasmith::block_barrier(p != 0, line) > 0; }
static inline int __syncthreads_and(int p, CUDASMITH_HERE) { return ::cudasmith::block_barrier(p == 0, line) == 0; }
static inline void __syncwarp(unsigned mask = 0xffffffffu, CUDASMITH_HERE) {
  ::cudasmith::warp_collective(::cudasmith::WarpOp::sync, mask, 0, 0, line);
}

namespace cudasmith {

inline unsigned linear_thread() {
  const Position& p = position;
  return p.thread.x + p.block_dim.x * (p.thread.y + p.block_dim.y * p.thread.z);
}
inline int lane() { return static_cast<int>(linear_thread() & 31u); }

template <class T>
T shuffle(unsigned mask, T value, int source, int line) {
  static_assert(sizeof(T) <= 8, "a warp shuffle moves at most 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = warp_collective(WarpOp::shuffle, mask, bits, source, line);
  T result;
  std::memcpy(static_cast<void*>(&result), &bits, sizeof(T));
  return result;
}

}  // namespace cudasmith

template <class T>
T __shfl_sync(unsigned mask, T v, int source, int width = 32, CUDASMITH_HERE) {
  const int self = ::cudasmith::lane();
  return ::cudasmith::shuffle(mask, v, (self & ~(width - 1)) | (source & (width - 1)), line);
}
template <class T>
T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32, CUDASMITH_HERE) {
  const int self = ::cudasmith::lane(), source = self - static_cast<int>(delta);
  return ::cudasmith::shuffle(mask, v, source < (self & ~(width - 1)) ? self : source, line);
}
template <class T>
T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32, CUDASMITH_HERE) {
  const int self = ::cudasmith::lane(), source = self + static_cast<int>(delta);
  return ::cudasmith::shuffle(mask, v, source > (self | (width - 1)) ? self : source, line);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T v, int lane_mask, int width = 32, CUDASMITH_HERE) {
  const int self = ::cudasmith::lane(), source = self ^ lane_mask;
  return ::cudasmith::shuffle(mask, v, source > (self | (width - 1)) ? self : source, line);
}

static inline unsigned __ballot_sync(unsigned mask, int p, CUDASMITH_HERE) {
  return static_cast<unsigned>(::cudasmith::warp_collective(::cudasmith::WarpOp::ballot, mask, p != 0, 0, line));
}
static inline int __any_sync(unsigned mask, int p, CUDASMITH_HERE) { return __ballot_sync(mask, p, line) != 0; }
static inline int __all_sync(unsigned mask, int p, CUDASMITH_HERE) { return __ballot_sync(mask, p == 0, line) == 0; }
static inline unsigned __activemask() { return ::cudasmith::active_lanes(); }

template <class T>
unsigned __match_any_sync(unsigned mask, T v, CUDASMITH_HERE) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof(T));
  return static_cast<unsigned>(::cudasmith::warp_collective(::cudasmith::WarpOp::match_any, mask, bits, 0, line));
}
template <class T>
unsigned __match_all_sync(unsigned mask, T v, int* all, CUDASMITH_HERE) {
  const unsigned same = __match_any_sync(mask, v, line);
  const unsigned everyone = __ballot_sync(mask, 1, line);
  *all = same == everyone;
  return *all ? everyone : 0u;
}

#define CUDASMITH_REDUCE(NAME, T, OP) \
  static inline T NAME(unsigned mask, T v, CUDASMITH_HERE) { \
    return static_cast<T>(::cudasmith::warp_collective( \
        ::cudasmith::WarpOp::OP, mask, static_cast<std::uint64_t>(static_cast<std::int64_t>(v)), 0, line)); \
  }
CUDASMITH_REDUCE(__reduce_add_sync, unsigned, add)
CUDASMITH_REDUCE(__reduce_add_sync, int, add)
CUDASMITH_REDUCE(__reduce_min_sync, unsigned, min_unsigned)
CUDASMITH_REDUCE(__reduce_min_sync, int, min_signed)
CUDASMITH_REDUCE(__reduce_max_sync, unsigned, max_unsigned)
CUDASMITH_REDUCE(__reduce_max_sync, int, max_signed)
CUDASMITH_REDUCE(__reduce_and_sync, unsigned, bit_and)
CUDASMITH_REDUCE(__reduce_or_sync, unsigned, bit_or)
CUDASMITH_REDUCE(__reduce_xor_sync, unsigned, bit_xor)

static inline void __threadfence() { CUDASMITH_FENCE(); }
static inline void __threadfence_block() { CUDASMITH_FENCE(); }
static inline void __threadfence_system() { CUDASMITH_FENCE(); }
