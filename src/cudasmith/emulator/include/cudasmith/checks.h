// What device code says and asks of the machine: assert, clocks.
#pragma once
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "runtime.h"

namespace cudasmith {
// glibc's assert calls __assert_fail, which this file renames: in a kernel a failed assert is a fault of its thread.
[[noreturn]] inline void assert_failed(const char* text, const char* file, unsigned line, const char*) {
  if (in_device_code()) device_fault("EM111", std::string("assertion failed in line ") + std::to_string(line) + ": " + text);
  std::fprintf(stderr, "%s:%u: assertion `%s' failed.\n", file, line, text);
  std::abort();
}
inline long long nanoseconds() {
  time_passes();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace cudasmith
#define __assert_fail ::cudasmith::assert_failed
static inline long long clock64() { return ::cudasmith::nanoseconds() * 2; }  // as at 2 GHz
static inline unsigned long long __globaltimer() { return static_cast<unsigned long long>(::cudasmith::nanoseconds()); }
#define __assume(e) __builtin_assume(e)
#ifndef __clang__
#define __builtin_assume(e) ((void)0)
#endif
