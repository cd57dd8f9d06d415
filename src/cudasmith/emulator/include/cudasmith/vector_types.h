// CUDA's built-in vector types with CUDA's sizes and alignments.
#pragma once
#include <cstddef>

#define CUDASMITH_VEC1(T, N, A) \
  struct alignas(A) N##1 { T x; }; \
  static inline N##1 make_##N##1(T x) { return N##1{x}; }
#define CUDASMITH_VEC2(T, N, A) \
  struct alignas(A) N##2 { T x, y; }; \
  static inline N##2 make_##N##2(T x, T y) { return N##2{x, y}; }
#define CUDASMITH_VEC3(T, N) \
  struct N##3 { T x, y, z; }; \
  static inline N##3 make_##N##3(T x, T y, T z) { return N##3{x, y, z}; }
#define CUDASMITH_VEC4(T, N, A) \
  struct alignas(A) N##4 { T x, y, z, w; }; \
  static inline N##4 make_##N##4(T x, T y, T z, T w) { return N##4{x, y, z, w}; }
#define CUDASMITH_VEC(T, N) \
  CUDASMITH_VEC1(T, N, sizeof(T)) \
  CUDASMITH_VEC2(T, N, 2 * sizeof(T)) \
  CUDASMITH_VEC3(T, N) \
  CUDASMITH_VEC4(T, N, (4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)))

CUDASMITH_VEC(signed char, char)
CUDASMITH_VEC(unsigned char, uchar)
CUDASMITH_VEC(short, short)
CUDASMITH_VEC(unsigned short, ushort)
CUDASMITH_VEC(int, int)
CUDASMITH_VEC(unsigned int, uint)
CUDASMITH_VEC(long, long)
CUDASMITH_VEC(unsigned long, ulong)
CUDASMITH_VEC(long long, longlong)
CUDASMITH_VEC(unsigned long long, ulonglong)
CUDASMITH_VEC(float, float)
CUDASMITH_VEC(double, double)

// A launch dimension: missing components are 1. Converts from an integer as in CUDA.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
