// Cache-hinted loads and stores, and atomics. One OS thread runs the grid, so plain accesses are atomic.
#pragma once
#include "runtime.h"

#define CUDASMITH_LOAD(NAME) \
  template <class T> \
  inline T NAME(const T* p) { return *p; }
CUDASMITH_LOAD(__ldg)
CUDASMITH_LOAD(__ldca)
CUDASMITH_LOAD(__ldcg)
CUDASMITH_LOAD(__ldcs)
CUDASMITH_LOAD(__ldlu)
CUDASMITH_LOAD(__ldcv)
#define CUDASMITH_STORE(NAME) \
  template <class T> \
  inline void NAME(T* p, T v) { *p = v; }
CUDASMITH_STORE(__stwb)
CUDASMITH_STORE(__stcg)
CUDASMITH_STORE(__stcs)
CUDASMITH_STORE(__stwt)

namespace cudasmith {
template <class T>
struct identity { using type = T; };
template <class T>
using same = typename identity<T>::type;  // keeps a parameter out of deduction
}  // namespace cudasmith

// Every atomic returns the old value.
#define CUDASMITH_ATOMIC(NAME, NEW) \
  template <class T> \
  inline T NAME(T* p, ::cudasmith::same<T> v) { \
    CUDASMITH_ATOMIC_ACCESS(p); \
    T old = *p; \
    *p = static_cast<T>(NEW); \
    return old; \
  } \
  template <class T> \
  inline T NAME##_block(T* p, ::cudasmith::same<T> v) { return NAME(p, v); } \
  template <class T> \
  inline T NAME##_system(T* p, ::cudasmith::same<T> v) { return NAME(p, v); }
CUDASMITH_ATOMIC(atomicAdd, old + v)
CUDASMITH_ATOMIC(atomicSub, old - v)
CUDASMITH_ATOMIC(atomicExch, v)
CUDASMITH_ATOMIC(atomicMax, old < v ? v : old)
CUDASMITH_ATOMIC(atomicMin, v < old ? v : old)
CUDASMITH_ATOMIC(atomicAnd, old & v)
CUDASMITH_ATOMIC(atomicOr, old | v)
CUDASMITH_ATOMIC(atomicXor, old ^ v)
CUDASMITH_ATOMIC(atomicInc, old >= v ? 0 : old + 1)
CUDASMITH_ATOMIC(atomicDec, (old == 0 || old > v) ? v : old - 1)
template <class T>
inline T atomicCAS(T* p, ::cudasmith::same<T> expected, ::cudasmith::same<T> v) {
  CUDASMITH_ATOMIC_ACCESS(p);
  T old = *p;
  if (std::memcmp(&old, &expected, sizeof(T)) == 0) *p = v;
  return old;
}
