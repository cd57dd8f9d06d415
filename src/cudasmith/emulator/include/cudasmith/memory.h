// Cache-hinted loads and stores: the hints have no meaning on a CPU.
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
