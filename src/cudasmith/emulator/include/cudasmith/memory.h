// Cache-hinted loads and stores: the hints have no meaning on a CPU.
#pragma once
#include "runtime.h"

#define CUDASMITH_LOAD(NAME) \
  template <class T> \
  inline T NAME(const T* p) { return *p; }
CUDASMITH_LOAD(__ldg)
CUDASMITH_LOAD(__ldca)
CUDASMITH_LOAD(__ldcs)
CUDASMITH_LOAD(__ldlu)
#define CUDASMITH_FRESH_LOAD(NAME) \
  template <class T> \
  inline T NAME(const T* p) { return ::cudasmith::polled(p, sizeof(T)), *p; }
CUDASMITH_FRESH_LOAD(__ldcg)
CUDASMITH_FRESH_LOAD(__ldcv)
#define CUDASMITH_STORE(NAME) \
  template <class T> \
  inline void NAME(T* p, T v) { *p = v; }
CUDASMITH_STORE(__stwb)
CUDASMITH_STORE(__stcg)
CUDASMITH_STORE(__stcs)
CUDASMITH_STORE(__stwt)

// Shared memory lies below 4 GB, so that its addresses have 32 bits.
static inline bool __isShared(const void* p) { return p != nullptr && reinterpret_cast<std::uintptr_t>(p) <= 0xffffffffu; }
static inline std::size_t __cvta_generic_to_shared(const void* p) {
  if (!__isShared(p)) ::cudasmith::device_fault("EM112", "an address in shared memory is asked of a pointer to other memory");
  return reinterpret_cast<std::uintptr_t>(p);
}
static inline void* __cvta_shared_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
static inline std::size_t __cvta_generic_to_global(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
static inline void* __cvta_global_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
