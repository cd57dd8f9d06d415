// Atomics of exactly the types that CUDA has. One OS thread runs the grid, so plain accesses are atomic.
#pragma once
#include <cstring>

#include "half.h"
#include "runtime.h"
#include "vector_types.h"

namespace cudasmith {
template <class T>
CUDASMITH_UNCHECKED inline bool same_bits(const T& a, const T& b) { return __builtin_memcmp(&a, &b, sizeof(T)) == 0; }
}  // namespace cudasmith

// Every atomic returns the old value. One that changes nothing only reads.
#define CUDASMITH_ATOMIC(NAME, T, NEW) \
  static inline T NAME(T* p, T v) { \
    T old; \
    bool same; \
    { \
      CUDASMITH_ATOMIC_ACCESS(p); \
      old = *p; \
      const T csm_new = static_cast<T>(NEW); \
      same = ::cudasmith::same_bits(old, csm_new); \
      *p = csm_new; \
    } \
    if (same) ::cudasmith::polled(p, sizeof(T)); \
    return old; \
  } \
  static inline T NAME##_block(T* p, T v) { return NAME(p, v); } \
  static inline T NAME##_system(T* p, T v) { return NAME(p, v); }
#define CUDASMITH_ATOMIC_32(NAME, NEW) \
  CUDASMITH_ATOMIC(NAME, int, NEW) \
  CUDASMITH_ATOMIC(NAME, unsigned, NEW)
#define CUDASMITH_ATOMIC_64(NAME, NEW) \
  CUDASMITH_ATOMIC_32(NAME, NEW) \
  CUDASMITH_ATOMIC(NAME, long long, NEW) \
  CUDASMITH_ATOMIC(NAME, unsigned long long, NEW)
CUDASMITH_ATOMIC(atomicAdd, int, static_cast<unsigned>(old) + static_cast<unsigned>(v))
CUDASMITH_ATOMIC(atomicAdd, unsigned, old + v)
CUDASMITH_ATOMIC(atomicAdd, unsigned long long, old + v)
CUDASMITH_ATOMIC(atomicAdd, float, old + v)
CUDASMITH_ATOMIC(atomicAdd, double, old + v)
CUDASMITH_ATOMIC(atomicAdd, __half, __hadd(old, v))
CUDASMITH_ATOMIC(atomicAdd, __half2, __hadd2(old, v))
CUDASMITH_ATOMIC(atomicAdd, __nv_bfloat16, __hadd(old, v))
CUDASMITH_ATOMIC(atomicAdd, __nv_bfloat162, __hadd2(old, v))
CUDASMITH_ATOMIC(atomicAdd, float2, (float2{old.x + v.x, old.y + v.y}))
CUDASMITH_ATOMIC(atomicAdd, float4, (float4{old.x + v.x, old.y + v.y, old.z + v.z, old.w + v.w}))
CUDASMITH_ATOMIC(atomicSub, int, static_cast<unsigned>(old) - static_cast<unsigned>(v))
CUDASMITH_ATOMIC(atomicSub, unsigned, old - v)
CUDASMITH_ATOMIC_32(atomicExch, v)
CUDASMITH_ATOMIC(atomicExch, unsigned long long, v)
CUDASMITH_ATOMIC(atomicExch, float, v)
CUDASMITH_ATOMIC_64(atomicMax, old < v ? v : old)
CUDASMITH_ATOMIC_64(atomicMin, v < old ? v : old)
CUDASMITH_ATOMIC_64(atomicAnd, old& v)
CUDASMITH_ATOMIC_64(atomicOr, old | v)
CUDASMITH_ATOMIC_64(atomicXor, old ^ v)
CUDASMITH_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
CUDASMITH_ATOMIC(atomicDec, unsigned, (old == 0 || old > v) ? v : old - 1)

namespace cudasmith {
template <class T>
T exchange_if(T* p, T expected, T v) {
  CUDASMITH_ATOMIC_ACCESS(p);
  const T old = *p;
  if (old == expected) *p = v;
  return old;
}
}  // namespace cudasmith

// A loop that waits for another thread's store ends only when that thread runs: a failure lets it.
#define CUDASMITH_ATOMIC_CAS(T) \
  static inline T atomicCAS(T* p, T expected, T v) { \
    const T old = ::cudasmith::exchange_if(p, expected, v); \
    if (old != expected) ::cudasmith::yield_thread(), ::cudasmith::polled(p, sizeof(T)); \
    return old; \
  } \
  static inline T atomicCAS_block(T* p, T expected, T v) { return atomicCAS(p, expected, v); } \
  static inline T atomicCAS_system(T* p, T expected, T v) { return atomicCAS(p, expected, v); }
CUDASMITH_ATOMIC_CAS(int)
CUDASMITH_ATOMIC_CAS(unsigned)
CUDASMITH_ATOMIC_CAS(unsigned long long)
CUDASMITH_ATOMIC_CAS(unsigned short)
