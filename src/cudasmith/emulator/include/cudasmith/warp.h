// Barriers, shuffles, votes and reductions.
#pragma once
#include <type_traits>
#include <utility>

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

// What a shuffle of T returns: small integers are promoted, as by overload resolution in CUDA.
template <class T, class = void>
struct Shuffled {};
template <class T>
struct Shuffled<T, std::enable_if_t<std::is_arithmetic_v<T> && sizeof(T) <= 8>> { using type = decltype(+std::declval<T>()); };
template <class T>
struct Shuffled<T, std::enable_if_t<std::is_enum_v<T>>> { using type = decltype(+std::declval<T>()); };
template <class T>
using shuffled = typename Shuffled<T>::type;

// Moves a value of any size, 8 bytes at a time.
template <class T>
T shuffle(unsigned mask, T value, int source, int line) {
  std::uint64_t words[(sizeof(T) + 7) / 8] = {};
  std::memcpy(words, &value, sizeof(T));
  for (std::uint64_t& word : words) word = warp_collective(WarpOp::shuffle, mask, word, source, line);
  T result;
  std::memcpy(static_cast<void*>(&result), words, sizeof(T));
  return result;
}
inline void check_width(int width, int line) {
  if (width < 1 || width > 32 || (width & (width - 1)) != 0)
    device_fault("EM202", "shuffle of line " + std::to_string(line) + ": width " + std::to_string(width) + " is not a power of two of at most 32");
}
inline int source_at(int source, int width) { return (lane() & ~(width - 1)) | (source & (width - 1)); }
inline int source_up(unsigned delta, int width) {
  const int self = lane(), source = self - static_cast<int>(delta & 31u);
  return source < (self & ~(width - 1)) ? self : source;
}
inline int source_down(unsigned delta, int width) {
  const int self = lane(), source = self + static_cast<int>(delta & 31u);
  return source > (self | (width - 1)) ? self : source;
}
inline int source_xor(int lanes, int width) {
  const int self = lane(), source = self ^ (lanes & 31);
  return source > (self | (width - 1)) ? self : source;
}
template <class T>
std::uint64_t bits_of(T v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof(T));
  return bits;
}

}  // namespace cudasmith

#define CUDASMITH_SHUFFLE(NAME, ARG, SOURCE) \
  template <class T> \
  ::cudasmith::shuffled<T> NAME(unsigned mask, T v, ARG by, int width = 32, CUDASMITH_HERE) { \
    ::cudasmith::check_width(width, line); \
    return ::cudasmith::shuffle<::cudasmith::shuffled<T>>(mask, v, ::cudasmith::SOURCE(by, width), line); \
  }
CUDASMITH_SHUFFLE(__shfl_sync, int, source_at)
CUDASMITH_SHUFFLE(__shfl_up_sync, unsigned, source_up)
CUDASMITH_SHUFFLE(__shfl_down_sync, unsigned, source_down)
CUDASMITH_SHUFFLE(__shfl_xor_sync, int, source_xor)

static inline unsigned __ballot_sync(unsigned mask, int p, CUDASMITH_HERE) {
  return static_cast<unsigned>(::cudasmith::warp_collective(::cudasmith::WarpOp::ballot, mask, p != 0, 0, line));
}
static inline int __any_sync(unsigned mask, int p, CUDASMITH_HERE) { return __ballot_sync(mask, p, line) != 0; }
static inline int __all_sync(unsigned mask, int p, CUDASMITH_HERE) { return __ballot_sync(mask, p == 0, line) == 0; }
static inline unsigned __activemask(CUDASMITH_HERE) { return ::cudasmith::converged_lanes(line); }

template <class T>
std::enable_if_t<std::is_arithmetic_v<T> && sizeof(T) <= 8, unsigned> __match_any_sync(unsigned mask, T v, CUDASMITH_HERE) {
  const auto bits = ::cudasmith::bits_of(+v);
  return static_cast<unsigned>(::cudasmith::warp_collective(::cudasmith::WarpOp::match_any, mask, bits, 0, line));
}
template <class T>
std::enable_if_t<std::is_arithmetic_v<T> && sizeof(T) <= 8, unsigned> __match_all_sync(unsigned mask, T v, int* all, CUDASMITH_HERE) {
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

// Let the others run, so that a loop that waits for one of them ends.
static inline void __nanosleep(unsigned) { ::cudasmith::yield_thread(); }
static inline void __threadfence() { CUDASMITH_FENCE(); }
static inline void __threadfence_block() { CUDASMITH_FENCE(); }
static inline void __threadfence_system() { CUDASMITH_FENCE(); }
