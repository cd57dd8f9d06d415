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

#include "conversions.h"
#include "runtime.h"

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
static inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
static inline float rcbrt(float x) { return rcbrtf(x); }
static inline float sinpi(float x) { return sinpif(x); }
static inline float cospi(float x) { return cospif(x); }
static inline void sincospif(float x, float* s, float* c) { *s = sinpif(x), *c = cospif(x); }
static inline void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
static inline float normcdf(float x) { return normcdff(x); }
static inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
static inline double norm4d(double a, double b, double c, double d) { return std::hypot(std::hypot(a, b), std::hypot(c, d)); }
static inline float norm3df(float a, float b, float c) { return static_cast<float>(norm3d(a, b, c)); }
static inline float norm4df(float a, float b, float c, float d) { return static_cast<float>(norm4d(a, b, c, d)); }
static inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
static inline double rnorm4d(double a, double b, double c, double d) { return 1.0 / norm4d(a, b, c, d); }
static inline float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }
static inline float rnorm4df(float a, float b, float c, float d) { return static_cast<float>(rnorm4d(a, b, c, d)); }
static inline double rhypot(double a, double b) { return 1.0 / std::hypot(a, b); }
static inline float rhypotf(float a, float b) { return static_cast<float>(rhypot(a, b)); }
static inline double norm(int n, const double* v) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return std::sqrt(sum);
}
static inline double rnorm(int n, const double* v) { return 1.0 / norm(n, v); }
static inline float normf(int n, const float* v) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(v[i]) * v[i];
  return static_cast<float>(std::sqrt(sum));
}
static inline float rnormf(int n, const float* v) { return 1.0f / normf(n, v); }
namespace cudasmith {
// The x with erfc(x) = y: bisection, then Newton's steps.
inline double inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2)) return std::numeric_limits<double>::quiet_NaN();
  if (y == 0 || y == 2) return y == 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  if (y == 1) return 0;
  double low = -6, high = 28;
  for (int i = 0; i < 80; ++i) {
    const double middle = 0.5 * (low + high);
    (std::erfc(middle) > y ? low : high) = middle;
  }
  return 0.5 * (low + high);
}
// erf is odd, and near 0 erfc would lose its digits.
inline double inverse_erf(double y) {
  if (std::fabs(y) > 0.5) return y > 0 ? inverse_erfc(1 - y) : -inverse_erfc(1 + y);
  double x = 0.886226925452758 * y;
  for (int i = 0; i < 8; ++i) x -= (std::erf(x) - y) / (1.1283791670955126 * std::exp(-x * x));
  return x;
}
}  // namespace cudasmith
static inline double erfinv(double y) { return ::cudasmith::inverse_erf(y); }
static inline double erfcinv(double y) { return ::cudasmith::inverse_erfc(y); }
static inline double normcdfinv(double p) { return -M_SQRT2 * ::cudasmith::inverse_erfc(2 * p); }
static inline double erfcx(double x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  const double r = 1 / (x * x);
  return (1 - 0.5 * r * (1 - 1.5 * r * (1 - 2.5 * r))) / (x * std::sqrt(M_PI));
}
static inline double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0.0, std::fabs(x)); }
static inline double cyl_bessel_i1(double x) { return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x); }
#define CUDASMITH_FLOAT_FORM(NAME) \
  static inline float NAME##f(float x) { return static_cast<float>(NAME(static_cast<double>(x))); } \
  static inline float NAME(float x) { return NAME##f(x); }
CUDASMITH_FLOAT_FORM(erfinv)
CUDASMITH_FLOAT_FORM(erfcinv)
CUDASMITH_FLOAT_FORM(normcdfinv)
CUDASMITH_FLOAT_FORM(erfcx)
CUDASMITH_FLOAT_FORM(cyl_bessel_i0)
CUDASMITH_FLOAT_FORM(cyl_bessel_i1)

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
static inline long long llmin(long long a, long long b) { return a < b ? a : b; }
static inline long long llmax(long long a, long long b) { return a < b ? b : a; }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
static inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }

static inline int __float_as_int(float v) { return ::cudasmith::bit_copy<int>(v); }
static inline unsigned __float_as_uint(float v) { return ::cudasmith::bit_copy<unsigned>(v); }
static inline float __int_as_float(int v) { return ::cudasmith::bit_copy<float>(v); }
static inline float __uint_as_float(unsigned v) { return ::cudasmith::bit_copy<float>(v); }
static inline long long __double_as_longlong(double v) { return ::cudasmith::bit_copy<long long>(v); }
static inline double __longlong_as_double(long long v) { return ::cudasmith::bit_copy<double>(v); }
static inline int __double2loint(double v) { return static_cast<int>(::cudasmith::bit_copy<long long>(v)); }
static inline int __double2hiint(double v) { return static_cast<int>(::cudasmith::bit_copy<long long>(v) >> 32); }
static inline double __hiloint2double(int high, int low) {
  return ::cudasmith::bit_copy<double>(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

#define CUDART_INF_F (__builtin_inff())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_INF (__builtin_inf())
#define CUDART_PI_F 3.141592654f
#define CUDART_MAX_NORMAL_F 3.402823466e38f

static inline void __trap() { ::cudasmith::device_fault("EM110", "the kernel called __trap()"); }
static inline void __brkpt() {}
static inline void __prof_trigger(int) {}
static inline bool __isGlobal(const void*) { return true; }
