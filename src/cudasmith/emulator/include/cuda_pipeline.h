// Asynchronous copies to shared memory by their C names.
#pragma once
#include <cudasmith/prelude.h>

static inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes, std::size_t zero_bytes = 0) {
  ::cudasmith::async_copy(to, from, static_cast<unsigned>(bytes), static_cast<unsigned>(bytes - zero_bytes));
}
static inline void __pipeline_commit() { ::cudasmith::async_commit(); }
static inline void __pipeline_wait_prior(std::size_t groups) { ::cudasmith::async_wait(static_cast<unsigned>(groups)); }
