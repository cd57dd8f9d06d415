// __half, __nv_bfloat16 and their pairs. Same bits as c10::Half and c10::BFloat16, so reinterpret_cast between them works.
// Arithmetic rounds once per operation, as on the GPU. Conversions and operators obey the macros that torch's builds set.
#pragma once
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "conversions.h"
#include "math.h"
#include "memory.h"
#include "vector_types.h"
#include "warp.h"

#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define CUDASMITH_HALF_CONVERSIONS(TYPE)
#else
#define CUDASMITH_HALF_CONVERSIONS(TYPE) CUDASMITH_NUMBER_CONVERSIONS(TYPE)
#endif
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define CUDASMITH_BFLOAT16_CONVERSIONS(TYPE)
#else
#define CUDASMITH_BFLOAT16_CONVERSIONS(TYPE) CUDASMITH_NUMBER_CONVERSIONS(TYPE)
#endif
#define CUDASMITH_NUMBER_CONVERSIONS(TYPE) \
  TYPE(float v); \
  TYPE(double v); \
  TYPE(short v); \
  TYPE(unsigned short v); \
  TYPE(int v); \
  TYPE(unsigned v); \
  TYPE(long long v); \
  TYPE(unsigned long long v); \
  operator float() const;

#define CUDASMITH_HALF_TYPE(TYPE, TORCH, CONVERSIONS) \
  struct TYPE##_raw { unsigned short x; }; \
  struct alignas(2) TYPE { \
    unsigned short bits; \
    TYPE() = default; \
    TYPE(const TYPE##_raw& raw) : bits(raw.x) {} \
    TYPE(const TORCH& v) : bits(v.x) {} \
    operator TORCH() const { return TORCH(bits, TORCH::from_bits()); } \
    CONVERSIONS(TYPE) \
  }; \
  struct alignas(4) TYPE##2 { \
    TYPE x, y; \
    TYPE##2() = default; \
    TYPE##2(TYPE a, TYPE b) : x(a), y(b) {} \
  };
CUDASMITH_HALF_TYPE(__half, c10::Half, CUDASMITH_HALF_CONVERSIONS)
CUDASMITH_HALF_TYPE(__nv_bfloat16, c10::BFloat16, CUDASMITH_BFLOAT16_CONVERSIONS)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

namespace cudasmith {
template <> struct Shuffled<__half> { using type = __half; };
template <> struct Shuffled<__half2> { using type = __half2; };
template <> struct Shuffled<__nv_bfloat16> { using type = __nv_bfloat16; };
template <> struct Shuffled<__nv_bfloat162> { using type = __nv_bfloat162; };

inline float wide(__half v) { return static_cast<float>(c10::Half(v.bits, c10::Half::from_bits())); }
inline float wide(__nv_bfloat16 v) { return static_cast<float>(c10::BFloat16(v.bits, c10::BFloat16::from_bits())); }
template <class H>
struct Format;
template <>
struct Format<__half> {
  using Torch = c10::Half;
  static constexpr unsigned infinity = 0x7c00, nan = 0x7fff;
  static constexpr double overflow = 0x1p16;
};
template <>
struct Format<__nv_bfloat16> {
  using Torch = c10::BFloat16;
  static constexpr unsigned infinity = 0x7f80, nan = 0x7fff;
  static constexpr double overflow = 0x1p128;
};
template <class H>
H of_bits(unsigned bits) {
  H h;
  h.bits = static_cast<unsigned short>(bits);
  return h;
}
// To nearest, ties to even.
template <class H>
H narrow(float v) { return v != v ? of_bits<H>(Format<H>::nan) : H(typename Format<H>::Torch(v)); }
// Rounds once, from any number.
template <class H>
H narrow(long double v, Rounding mode) {
  using F = Format<H>;
  if (v != v) return of_bits<H>(F::nan);
  const bool negative = std::signbit(v);
  const long double size = negative ? -v : v;
  const auto value = [](unsigned bits) -> long double { return bits >= F::infinity ? F::overflow : wide(of_bits<H>(bits)); };
  unsigned low = narrow<H>(static_cast<float>(size)).bits;
  if (std::isinf(size)) return of_bits<H>(F::infinity | negative << 15);
  if (low >= F::infinity) low = F::infinity - 1;
  while (low > 0 && value(low) > size) --low;
  while (low + 1 < F::infinity && value(low + 1) <= size) ++low;
  unsigned chosen = low;
  if (value(low) != size) {
    const long double above = value(low + 1) - size, below = size - value(low);
    const bool nearest_up = above < below || (above == below && (low & 1) != 0);
    if (mode == Rounding::nearest ? nearest_up : mode == (negative ? Rounding::down : Rounding::up)) chosen = low + 1;
  }
  return of_bits<H>(chosen | negative << 15);
}
template <class H>
H narrow(double v) {
  const float f = static_cast<float>(v);
  return static_cast<double>(f) == v ? narrow<H>(f) : narrow<H>(static_cast<long double>(v), Rounding::nearest);
}
template <class H>
H saturated(H v) {
  const float f = wide(v);
  return f != f || f < 0.0f ? of_bits<H>(0) : f > 1.0f ? narrow<H>(1.0f) : v;
}
inline float larger(float a, float b) { return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a < b ? b : a; }
inline float smaller(float a, float b) { return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : b < a ? b : a; }
inline float larger_nan(float a, float b) { return a != a || b != b ? std::numeric_limits<float>::quiet_NaN() : larger(a, b); }
inline float smaller_nan(float a, float b) { return a != a || b != b ? std::numeric_limits<float>::quiet_NaN() : smaller(a, b); }
}  // namespace cudasmith

#define CUDASMITH_HALF_FROM(TYPE, T, VALUE) \
  inline TYPE::TYPE(T v) : bits(::cudasmith::narrow<TYPE>(VALUE).bits) {}
#define CUDASMITH_HALF_FROM_ALL(TYPE) \
  CUDASMITH_HALF_FROM(TYPE, float, v) \
  CUDASMITH_HALF_FROM(TYPE, double, v) \
  CUDASMITH_HALF_FROM(TYPE, short, static_cast<double>(v)) \
  CUDASMITH_HALF_FROM(TYPE, unsigned short, static_cast<double>(v)) \
  CUDASMITH_HALF_FROM(TYPE, int, static_cast<double>(v)) \
  CUDASMITH_HALF_FROM(TYPE, unsigned, static_cast<double>(v)) \
  inline TYPE::TYPE(long long v) : bits(::cudasmith::narrow<TYPE>(static_cast<long double>(v), ::cudasmith::Rounding::nearest).bits) {} \
  inline TYPE::TYPE(unsigned long long v) : bits(::cudasmith::narrow<TYPE>(static_cast<long double>(v), ::cudasmith::Rounding::nearest).bits) {} \
  inline TYPE::operator float() const { return ::cudasmith::wide(*this); }
#ifndef __CUDA_NO_HALF_CONVERSIONS__
CUDASMITH_HALF_FROM_ALL(__half)
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
CUDASMITH_HALF_FROM_ALL(__nv_bfloat16)
#endif

// Arithmetic, for one value and for pairs. The float result rounds to the same half as the exact one.
#define CUDASMITH_HALF_BINARY(TYPE, NAME, EXPR) \
  static inline TYPE NAME(TYPE p, TYPE q) { \
    const float a = ::cudasmith::wide(p), b = ::cudasmith::wide(q); \
    return ::cudasmith::narrow<TYPE>(static_cast<float>(EXPR)); \
  }
#define CUDASMITH_HALF_PAIR(TYPE, NAME, PAIR_NAME) \
  static inline TYPE##2 PAIR_NAME(TYPE##2 p, TYPE##2 q) { return TYPE##2(NAME(p.x, q.x), NAME(p.y, q.y)); }
#define CUDASMITH_HALF_ARITHMETIC(TYPE, NAME, EXPR) \
  CUDASMITH_HALF_BINARY(TYPE, __h##NAME, EXPR) \
  CUDASMITH_HALF_BINARY(TYPE, __h##NAME##_rn, EXPR) \
  static inline TYPE __h##NAME##_sat(TYPE p, TYPE q) { return ::cudasmith::saturated(__h##NAME(p, q)); } \
  CUDASMITH_HALF_PAIR(TYPE, __h##NAME, __h##NAME##2) \
  CUDASMITH_HALF_PAIR(TYPE, __h##NAME, __h##NAME##2_rn) \
  CUDASMITH_HALF_PAIR(TYPE, __h##NAME##_sat, __h##NAME##2_sat)
#define CUDASMITH_HALF_MINMAX(TYPE, NAME, WHICH) \
  CUDASMITH_HALF_BINARY(TYPE, __h##NAME, ::cudasmith::WHICH(a, b)) \
  CUDASMITH_HALF_BINARY(TYPE, __h##NAME##_nan, ::cudasmith::WHICH##_nan(a, b)) \
  CUDASMITH_HALF_PAIR(TYPE, __h##NAME, __h##NAME##2) \
  CUDASMITH_HALF_PAIR(TYPE, __h##NAME##_nan, __h##NAME##2_nan)
// Ordered comparisons are false with a NaN, except ne; the unordered ones (..u) are true with a NaN.
#define CUDASMITH_HALF_COMPARE(TYPE, NAME, EXPR) \
  static inline bool __h##NAME(TYPE p, TYPE q) { \
    const float a = ::cudasmith::wide(p), b = ::cudasmith::wide(q); \
    return EXPR; \
  } \
  static inline TYPE##2 __h##NAME##2(TYPE##2 p, TYPE##2 q) { \
    return TYPE##2(::cudasmith::narrow<TYPE>(__h##NAME(p.x, q.x) ? 1.0f : 0.0f), ::cudasmith::narrow<TYPE>(__h##NAME(p.y, q.y) ? 1.0f : 0.0f)); \
  } \
  static inline bool __hb##NAME##2(TYPE##2 p, TYPE##2 q) { return __h##NAME(p.x, q.x) && __h##NAME(p.y, q.y); } \
  static inline unsigned __h##NAME##2_mask(TYPE##2 p, TYPE##2 q) { \
    return (__h##NAME(p.x, q.x) ? 0xffffu : 0u) | (__h##NAME(p.y, q.y) ? 0xffff0000u : 0u); \
  }
#define CUDASMITH_HALF_COMPARE_BOTH(TYPE, NAME, OP) \
  CUDASMITH_HALF_COMPARE(TYPE, NAME, a == a && b == b && a OP b) \
  CUDASMITH_HALF_COMPARE(TYPE, NAME##u, !(a == a && b == b) || a OP b)
#define CUDASMITH_HALF_UNARY(TYPE, SCALAR, VECTOR, EXPR) \
  static inline TYPE SCALAR(TYPE p) { \
    const float a = ::cudasmith::wide(p); \
    return ::cudasmith::narrow<TYPE>(static_cast<float>(EXPR)); \
  } \
  static inline TYPE##2 VECTOR(TYPE##2 p) { return TYPE##2(SCALAR(p.x), SCALAR(p.y)); }
#define CUDASMITH_HALF_FMA(TYPE, SUFFIX, EXPR) \
  static inline TYPE __hfma##SUFFIX(TYPE p, TYPE q, TYPE r) { \
    const double product = static_cast<double>(::cudasmith::wide(p)) * ::cudasmith::wide(q); \
    const TYPE v = ::cudasmith::narrow<TYPE>(product + ::cudasmith::wide(r)); \
    return EXPR; \
  } \
  static inline TYPE##2 __hfma2##SUFFIX(TYPE##2 p, TYPE##2 q, TYPE##2 r) { \
    return TYPE##2(__hfma##SUFFIX(p.x, q.x, r.x), __hfma##SUFFIX(p.y, q.y, r.y)); \
  }
#define CUDASMITH_HALF(TYPE) \
  CUDASMITH_HALF_ARITHMETIC(TYPE, add, a + b) \
  CUDASMITH_HALF_ARITHMETIC(TYPE, sub, a - b) \
  CUDASMITH_HALF_ARITHMETIC(TYPE, mul, a* b) \
  CUDASMITH_HALF_BINARY(TYPE, __hdiv, a / b) \
  CUDASMITH_HALF_PAIR(TYPE, __hdiv, __h2div) \
  CUDASMITH_HALF_MINMAX(TYPE, max, larger) \
  CUDASMITH_HALF_MINMAX(TYPE, min, smaller) \
  CUDASMITH_HALF_COMPARE_BOTH(TYPE, eq, ==) \
  CUDASMITH_HALF_COMPARE_BOTH(TYPE, ne, !=) \
  CUDASMITH_HALF_COMPARE_BOTH(TYPE, lt, <) \
  CUDASMITH_HALF_COMPARE_BOTH(TYPE, le, <=) \
  CUDASMITH_HALF_COMPARE_BOTH(TYPE, gt, >) \
  CUDASMITH_HALF_COMPARE_BOTH(TYPE, ge, >=) \
  CUDASMITH_HALF_FMA(TYPE, , v) \
  CUDASMITH_HALF_FMA(TYPE, _sat, ::cudasmith::saturated(v)) \
  CUDASMITH_HALF_FMA(TYPE, _relu, ::cudasmith::wide(v) < 0.0f ? ::cudasmith::of_bits<TYPE>(0) : v) \
  static inline TYPE __hneg(TYPE p) { return ::cudasmith::of_bits<TYPE>(p.bits ^ 0x8000u); } \
  static inline TYPE __habs(TYPE p) { return ::cudasmith::of_bits<TYPE>(p.bits & 0x7fffu); } \
  static inline TYPE##2 __hneg2(TYPE##2 p) { return TYPE##2(__hneg(p.x), __hneg(p.y)); } \
  static inline TYPE##2 __habs2(TYPE##2 p) { return TYPE##2(__habs(p.x), __habs(p.y)); } \
  static inline TYPE##2 __hcmadd(TYPE##2 p, TYPE##2 q, TYPE##2 r) { \
    return TYPE##2(__hfma(__hneg(p.y), q.y, __hfma(p.x, q.x, r.x)), __hfma(p.y, q.x, __hfma(p.x, q.y, r.y))); \
  } \
  CUDASMITH_HALF_UNARY(TYPE, hexp, h2exp, std::exp(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hexp2, h2exp2, std::exp2(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hexp10, h2exp10, std::pow(10.0, a)) \
  CUDASMITH_HALF_UNARY(TYPE, hlog, h2log, std::log(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hlog2, h2log2, std::log2(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hlog10, h2log10, std::log10(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hsqrt, h2sqrt, std::sqrt(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hrsqrt, h2rsqrt, 1.0 / std::sqrt(static_cast<double>(a))) \
  CUDASMITH_HALF_UNARY(TYPE, hrcp, h2rcp, 1.0f / a) \
  CUDASMITH_HALF_UNARY(TYPE, hsin, h2sin, std::sin(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hcos, h2cos, std::cos(a)) \
  CUDASMITH_HALF_UNARY(TYPE, htanh, h2tanh, std::tanh(a)) \
  CUDASMITH_HALF_UNARY(TYPE, htanh_approx, h2tanh_approx, std::tanh(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hfloor, h2floor, std::floor(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hceil, h2ceil, std::ceil(a)) \
  CUDASMITH_HALF_UNARY(TYPE, htrunc, h2trunc, std::trunc(a)) \
  CUDASMITH_HALF_UNARY(TYPE, hrint, h2rint, std::nearbyint(a)) \
  static inline bool __hisnan(TYPE p) { return std::isnan(::cudasmith::wide(p)); } \
  static inline int __hisinf(TYPE p) { \
    const float a = ::cudasmith::wide(p); \
    return std::isinf(a) ? (a < 0.0f ? -1 : 1) : 0; \
  } \
  static inline TYPE##2 __hisnan2(TYPE##2 p) { \
    return TYPE##2(::cudasmith::narrow<TYPE>(__hisnan(p.x) ? 1.0f : 0.0f), ::cudasmith::narrow<TYPE>(__hisnan(p.y) ? 1.0f : 0.0f)); \
  }
CUDASMITH_HALF(__half)
CUDASMITH_HALF(__nv_bfloat16)

#define CUDASMITH_HALF_OPERATOR(TYPE, OP, NAME) \
  static inline TYPE operator OP(const TYPE& p, const TYPE& q) { return NAME(p, q); } \
  static inline TYPE& operator OP##=(TYPE & p, const TYPE& q) { return p = NAME(p, q); }
#define CUDASMITH_HALF_STEP(TYPE, OP, NAME, ONE) \
  static inline TYPE& operator OP##OP(TYPE & p) { return p = NAME(p, ONE); } \
  static inline TYPE operator OP##OP(TYPE & p, int) { \
    const TYPE before = p; \
    p = NAME(p, ONE); \
    return before; \
  }
#define CUDASMITH_HALF_OPERATORS(TYPE) \
  CUDASMITH_HALF_OPERATOR(TYPE, +, __hadd) \
  CUDASMITH_HALF_OPERATOR(TYPE, -, __hsub) \
  CUDASMITH_HALF_OPERATOR(TYPE, *, __hmul) \
  CUDASMITH_HALF_OPERATOR(TYPE, /, __hdiv) \
  CUDASMITH_HALF_STEP(TYPE, +, __hadd, ::cudasmith::narrow<TYPE>(1.0f)) \
  CUDASMITH_HALF_STEP(TYPE, -, __hsub, ::cudasmith::narrow<TYPE>(1.0f)) \
  static inline TYPE operator+(const TYPE& p) { return p; } \
  static inline TYPE operator-(const TYPE& p) { return __hneg(p); } \
  static inline bool operator==(const TYPE& p, const TYPE& q) { return __heq(p, q); } \
  static inline bool operator!=(const TYPE& p, const TYPE& q) { return __hneu(p, q); } \
  static inline bool operator<(const TYPE& p, const TYPE& q) { return __hlt(p, q); } \
  static inline bool operator<=(const TYPE& p, const TYPE& q) { return __hle(p, q); } \
  static inline bool operator>(const TYPE& p, const TYPE& q) { return __hgt(p, q); } \
  static inline bool operator>=(const TYPE& p, const TYPE& q) { return __hge(p, q); }
#define CUDASMITH_HALF2_OPERATORS(TYPE) \
  CUDASMITH_HALF_OPERATOR(TYPE##2, +, __hadd2) \
  CUDASMITH_HALF_OPERATOR(TYPE##2, -, __hsub2) \
  CUDASMITH_HALF_OPERATOR(TYPE##2, *, __hmul2) \
  CUDASMITH_HALF_OPERATOR(TYPE##2, /, __h2div) \
  static inline TYPE##2 operator+(const TYPE##2 & p) { return p; } \
  static inline TYPE##2 operator-(const TYPE##2 & p) { return __hneg2(p); } \
  static inline bool operator==(const TYPE##2 & p, const TYPE##2 & q) { return __hbeq2(p, q); } \
  static inline bool operator!=(const TYPE##2 & p, const TYPE##2 & q) { return __hbneu2(p, q); } \
  static inline bool operator<(const TYPE##2 & p, const TYPE##2 & q) { return __hblt2(p, q); } \
  static inline bool operator<=(const TYPE##2 & p, const TYPE##2 & q) { return __hble2(p, q); } \
  static inline bool operator>(const TYPE##2 & p, const TYPE##2 & q) { return __hbgt2(p, q); } \
  static inline bool operator>=(const TYPE##2 & p, const TYPE##2 & q) { return __hbge2(p, q); }
#ifndef __CUDA_NO_HALF_OPERATORS__
CUDASMITH_HALF_OPERATORS(__half)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
CUDASMITH_HALF2_OPERATORS(__half)
#endif
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
CUDASMITH_HALF_OPERATORS(__nv_bfloat16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
CUDASMITH_HALF2_OPERATORS(__nv_bfloat16)
#endif

#define CUDASMITH_HALF_OF_INTEGER(TYPE, S, NAME, T, MODE, ROUNDING) \
  static inline TYPE __##NAME##2##S##_##MODE(T v) { \
    return ::cudasmith::narrow<TYPE>(static_cast<long double>(v), ::cudasmith::Rounding::ROUNDING); \
  }
#define CUDASMITH_HALF_TO_INTEGER(TYPE, S, NAME, T, MODE, ROUND) \
  static inline T __##S##2##NAME##_##MODE(TYPE v) { return ::cudasmith::saturate<T>(ROUND(::cudasmith::wide(v))); }
#define CUDASMITH_HALF_INTEGER(TYPE, S, NAME, T) \
  CUDASMITH_HALF_OF_INTEGER(TYPE, S, NAME, T, rn, nearest) \
  CUDASMITH_HALF_OF_INTEGER(TYPE, S, NAME, T, rz, zero) \
  CUDASMITH_HALF_OF_INTEGER(TYPE, S, NAME, T, rd, down) \
  CUDASMITH_HALF_OF_INTEGER(TYPE, S, NAME, T, ru, up) \
  CUDASMITH_HALF_TO_INTEGER(TYPE, S, NAME, T, rn, std::nearbyint) \
  CUDASMITH_HALF_TO_INTEGER(TYPE, S, NAME, T, rz, std::trunc) \
  CUDASMITH_HALF_TO_INTEGER(TYPE, S, NAME, T, rd, std::floor) \
  CUDASMITH_HALF_TO_INTEGER(TYPE, S, NAME, T, ru, std::ceil)
#define CUDASMITH_HALF_OF_FLOAT(TYPE, S, MODE, ROUNDING) \
  static inline TYPE __float2##S##_##MODE(float v) { return ::cudasmith::narrow<TYPE>(static_cast<long double>(v), ::cudasmith::Rounding::ROUNDING); }
#define CUDASMITH_HALF_NAMES(TYPE, S, P2) \
  static inline float __##S##2float(TYPE v) { return ::cudasmith::wide(v); } \
  static inline TYPE __float2##S(float v) { return ::cudasmith::narrow<TYPE>(v); } \
  static inline TYPE __float2##S##_rn(float v) { return ::cudasmith::narrow<TYPE>(v); } \
  static inline TYPE __double2##S(double v) { return ::cudasmith::narrow<TYPE>(v); } \
  CUDASMITH_HALF_OF_FLOAT(TYPE, S, rz, zero) \
  CUDASMITH_HALF_OF_FLOAT(TYPE, S, rd, down) \
  CUDASMITH_HALF_OF_FLOAT(TYPE, S, ru, up) \
  CUDASMITH_HALF_INTEGER(TYPE, S, int, int) \
  CUDASMITH_HALF_INTEGER(TYPE, S, uint, unsigned) \
  CUDASMITH_HALF_INTEGER(TYPE, S, short, short) \
  CUDASMITH_HALF_INTEGER(TYPE, S, ushort, unsigned short) \
  CUDASMITH_HALF_INTEGER(TYPE, S, ll, long long) \
  CUDASMITH_HALF_INTEGER(TYPE, S, ull, unsigned long long) \
  CUDASMITH_HALF_TO_INTEGER(TYPE, S, char, signed char, rz, std::trunc) \
  CUDASMITH_HALF_TO_INTEGER(TYPE, S, uchar, unsigned char, rz, std::trunc) \
  static inline TYPE##2 __float2##P2##_rn(float v) { return TYPE##2(::cudasmith::narrow<TYPE>(v), ::cudasmith::narrow<TYPE>(v)); } \
  static inline TYPE##2 __floats2##P2##_rn(float a, float b) { return TYPE##2(::cudasmith::narrow<TYPE>(a), ::cudasmith::narrow<TYPE>(b)); } \
  static inline TYPE##2 __float22##P2##_rn(float2 v) { return __floats2##P2##_rn(v.x, v.y); } \
  static inline float2 __##P2##2float2(TYPE##2 v) { return float2{::cudasmith::wide(v.x), ::cudasmith::wide(v.y)}; } \
  static inline TYPE##2 __##S##2##P2(TYPE v) { return TYPE##2(v, v); } \
  static inline TYPE##2 __halves2##P2(TYPE a, TYPE b) { return TYPE##2(a, b); } \
  static inline TYPE##2 make_##P2(TYPE a, TYPE b) { return TYPE##2(a, b); } \
  static inline TYPE __low2##S(TYPE##2 v) { return v.x; } \
  static inline TYPE __high2##S(TYPE##2 v) { return v.y; } \
  static inline TYPE##2 __low2##P2(TYPE##2 v) { return TYPE##2(v.x, v.x); } \
  static inline TYPE##2 __high2##P2(TYPE##2 v) { return TYPE##2(v.y, v.y); } \
  static inline TYPE##2 __lows2##P2(TYPE##2 a, TYPE##2 b) { return TYPE##2(a.x, b.x); } \
  static inline TYPE##2 __highs2##P2(TYPE##2 a, TYPE##2 b) { return TYPE##2(a.y, b.y); } \
  static inline TYPE##2 __lowhigh2highlow(TYPE##2 v) { return TYPE##2(v.y, v.x); } \
  static inline float __low2float(TYPE##2 v) { return ::cudasmith::wide(v.x); } \
  static inline float __high2float(TYPE##2 v) { return ::cudasmith::wide(v.y); } \
  static inline unsigned short __##S##_as_ushort(TYPE v) { return v.bits; } \
  static inline short __##S##_as_short(TYPE v) { return static_cast<short>(v.bits); } \
  static inline TYPE __ushort_as_##S(unsigned short v) { return ::cudasmith::of_bits<TYPE>(v); } \
  static inline TYPE __short_as_##S(short v) { return ::cudasmith::of_bits<TYPE>(static_cast<unsigned short>(v)); }
CUDASMITH_HALF_NAMES(__half, half, half2)
CUDASMITH_HALF_NAMES(__nv_bfloat16, bfloat16, bfloat162)
