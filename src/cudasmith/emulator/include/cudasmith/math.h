// CUDA's device math. Fast intrinsics map to exact functions: their GPU error is not modelled.
#pragma once
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// glibc declares __expf and friends itself, so these are macros. Each also reaches user macros.
#define __expf(x) (::std::exp(static_cast<float>(x)))
#define __exp10f(x) (::std::pow(10.0f, static_cast<float>(x)))
#define __logf(x) (::std::log(static_cast<float>(x)))
#define __log2f(x) (::std::log2(static_cast<float>(x)))
#define __log10f(x) (::std::log10(static_cast<float>(x)))
#define __sinf(x) (::std::sin(static_cast<float>(x)))
#define __cosf(x) (::std::cos(static_cast<float>(x)))
#define __tanf(x) (::std::tan(static_cast<float>(x)))
#define __tanhf(x) (::std::tanh(static_cast<float>(x)))
#define __powf(x, y) (::std::pow(static_cast<float>(x), static_cast<float>(y)))
#define __sincosf(x, s, c) (::cudasmith::sincos_to(static_cast<float>(x), s, c))
#define __fdividef(x, y) (static_cast<float>(x) / static_cast<float>(y))

namespace cudasmith {
inline void sincos_to(float x, float* s, float* c) { *s = std::sin(x), *c = std::cos(x); }
template <class To, class From>
To bit_copy(From v) {
  static_assert(sizeof(To) == sizeof(From), "");
  To r;
  std::memcpy(&r, &v, sizeof r);
  return r;
}
// Conversions to integers saturate and map NaN to 0, as on the GPU.
template <class I, class F>
I saturate(F v) {
  if (v != v) return 0;
  if (v >= static_cast<F>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  if (v <= static_cast<F>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  return static_cast<I>(v);
}
}  // namespace cudasmith

static inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
static inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrtf(float x) { return 1.0f / std::cbrt(x); }
static inline float sinpif(float x) { return static_cast<float>(std::sin(M_PI * x)); }
static inline float cospif(float x) { return static_cast<float>(std::cos(M_PI * x)); }
static inline double sinpi(double x) { return std::sin(M_PI * x); }
static inline double cospi(double x) { return std::cos(M_PI * x); }
static inline float normcdff(float x) { return 0.5f * std::erfc(-x * static_cast<float>(M_SQRT1_2)); }
static inline double normcdf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
static inline float fdividef(float x, float y) { return x / y; }
static inline float __saturatef(float x) { return x != x ? 0.0f : x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x; }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __fsqrt_rn(float x) { return std::sqrt(x); }
static inline float __frsqrt_rn(float x) { return 1.0f / std::sqrt(x); }
static inline float __fadd_rn(float x, float y) { return x + y; }
static inline float __fsub_rn(float x, float y) { return x - y; }
static inline float __fmul_rn(float x, float y) { return x * y; }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
static inline double __dadd_rn(double x, double y) { return x + y; }
static inline double __dmul_rn(double x, double y) { return x * y; }
static inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }

// CUDA's global min and max over mixed arithmetic types.
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return std::fmin(static_cast<T>(a), static_cast<T>(b));
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B, class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B>>>
constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_floating_point_v<T>) return std::fmax(static_cast<T>(a), static_cast<T>(b));
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}
static inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }

static inline int __float_as_int(float v) { return ::cudasmith::bit_copy<int>(v); }
static inline unsigned __float_as_uint(float v) { return ::cudasmith::bit_copy<unsigned>(v); }
static inline float __int_as_float(int v) { return ::cudasmith::bit_copy<float>(v); }
static inline float __uint_as_float(unsigned v) { return ::cudasmith::bit_copy<float>(v); }
static inline long long __double_as_longlong(double v) { return ::cudasmith::bit_copy<long long>(v); }
static inline double __longlong_as_double(long long v) { return ::cudasmith::bit_copy<double>(v); }
static inline int __float2int_rn(float v) { return ::cudasmith::saturate<int>(std::nearbyint(v)); }
static inline int __float2int_rz(float v) { return ::cudasmith::saturate<int>(std::trunc(v)); }
static inline int __float2int_rd(float v) { return ::cudasmith::saturate<int>(std::floor(v)); }
static inline int __float2int_ru(float v) { return ::cudasmith::saturate<int>(std::ceil(v)); }
static inline unsigned __float2uint_rn(float v) { return ::cudasmith::saturate<unsigned>(std::nearbyint(v)); }
static inline unsigned __float2uint_rz(float v) { return ::cudasmith::saturate<unsigned>(std::trunc(v)); }
static inline int __double2int_rn(double v) { return ::cudasmith::saturate<int>(std::nearbyint(v)); }
static inline int __double2int_rz(double v) { return ::cudasmith::saturate<int>(std::trunc(v)); }
static inline float __int2float_rn(int v) { return static_cast<float>(v); }
static inline float __uint2float_rn(unsigned v) { return static_cast<float>(v); }
static inline float __double2float_rn(double v) { return static_cast<float>(v); }
static inline double __int2double_rn(int v) { return v; }

static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline int __clz(int v) { return v == 0 ? 32 : __builtin_clz(static_cast<unsigned>(v)); }
static inline int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(v)); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline unsigned __brev(unsigned v) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i) r |= (v >> i & 1u) << (31 - i);
  return r;
}
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) r |= static_cast<unsigned>(both >> (8 * (s >> (4 * i) & 7)) & 0xff) << (8 * i);
  return r;
}
static inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
static inline int __mul24(int a, int b) { return a * b; }
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(hi) << 32 | lo) << (s & 31)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> (s & 31));
}
static inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) c += static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i));
  return c;
}

#define CUDART_INF_F (__builtin_inff())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_INF (__builtin_inf())
#define CUDART_PI_F 3.141592654f
#define CUDART_MAX_NORMAL_F 3.402823466e38f

static inline long long clock64() { static long long ticks = 0; return ++ticks; }
static inline void __trap() { __builtin_trap(); }
static inline bool __isGlobal(const void*) { return true; }
