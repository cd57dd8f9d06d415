// __half, __nv_bfloat16 and their pairs. Same bits as c10::Half and c10::BFloat16, whose rounding they use, so
// reinterpret_cast between the two works. Arithmetic rounds once per operation, through float, as on the GPU.
#pragma once
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "math.h"
#include "memory.h"
#include "vector_types.h"
#include "warp.h"

#define CUDASMITH_HALF_TYPE(TYPE, TORCH) \
  struct alignas(2) TYPE { \
    unsigned short bits; \
    TYPE() = default; \
    explicit TYPE(float v) : bits(TORCH(v).x) {} \
    explicit TYPE(double v) : TYPE(static_cast<float>(v)) {} \
    explicit TYPE(int v) : TYPE(static_cast<float>(v)) {} \
    TYPE(const TORCH& v) : bits(v.x) {} \
    operator TORCH() const { return TORCH(bits, TORCH::from_bits()); } \
    explicit operator float() const { return static_cast<float>(TORCH(bits, TORCH::from_bits())); } \
  }; \
  struct alignas(4) TYPE##2 { \
    TYPE x, y; \
    TYPE##2() = default; \
    TYPE##2(TYPE a, TYPE b) : x(a), y(b) {} \
  };

#define CUDASMITH_HALF_BINARY(TYPE, PAIR, NAME, EXPR) \
  static inline TYPE NAME(TYPE p, TYPE q) { \
    const float a = static_cast<float>(p), b = static_cast<float>(q); \
    return TYPE(static_cast<float>(EXPR)); \
  } \
  static inline PAIR NAME##2(PAIR p, PAIR q) { return PAIR(NAME(p.x, q.x), NAME(p.y, q.y)); }
#define CUDASMITH_HALF_COMPARE(TYPE, PAIR, NAME, OP) \
  static inline bool NAME(TYPE p, TYPE q) { return static_cast<float>(p) OP static_cast<float>(q); } \
  static inline PAIR NAME##2(PAIR p, PAIR q) { \
    return PAIR(TYPE(NAME(p.x, q.x) ? 1.0f : 0.0f), TYPE(NAME(p.y, q.y) ? 1.0f : 0.0f)); \
  }
#define CUDASMITH_HALF_UNARY(TYPE, PAIR, SCALAR, VECTOR, EXPR) \
  static inline TYPE SCALAR(TYPE p) { \
    const float a = static_cast<float>(p); \
    return TYPE(static_cast<float>(EXPR)); \
  } \
  static inline PAIR VECTOR(PAIR p) { return PAIR(SCALAR(p.x), SCALAR(p.y)); }
#define CUDASMITH_HALF_OPERATOR(TYPE, PAIR, OP, NAME) \
  static inline TYPE operator OP(TYPE p, TYPE q) { return NAME(p, q); } \
  static inline PAIR operator OP(PAIR p, PAIR q) { return NAME##2(p, q); } \
  static inline TYPE& operator OP##=(TYPE & p, TYPE q) { return p = NAME(p, q); } \
  static inline PAIR& operator OP##=(PAIR & p, PAIR q) { return p = NAME##2(p, q); }
#define CUDASMITH_HALF_OPERATORS(TYPE, PAIR) \
  CUDASMITH_HALF_OPERATOR(TYPE, PAIR, +, __hadd) \
  CUDASMITH_HALF_OPERATOR(TYPE, PAIR, -, __hsub) \
  CUDASMITH_HALF_OPERATOR(TYPE, PAIR, *, __hmul) \
  CUDASMITH_HALF_OPERATOR(TYPE, PAIR, /, __hdiv) \
  static inline TYPE operator-(TYPE p) { return __hneg(p); } \
  static inline PAIR operator-(PAIR p) { return __hneg2(p); } \
  static inline bool operator==(TYPE p, TYPE q) { return __heq(p, q); } \
  static inline bool operator!=(TYPE p, TYPE q) { return __hne(p, q); } \
  static inline bool operator<(TYPE p, TYPE q) { return __hlt(p, q); } \
  static inline bool operator<=(TYPE p, TYPE q) { return __hle(p, q); } \
  static inline bool operator>(TYPE p, TYPE q) { return __hgt(p, q); } \
  static inline bool operator>=(TYPE p, TYPE q) { return __hge(p, q); }

#define CUDASMITH_HALF(TYPE, TORCH) \
  CUDASMITH_HALF_TYPE(TYPE, TORCH) \
  CUDASMITH_HALF_BINARY(TYPE, TYPE##2, __hadd, a + b) \
  CUDASMITH_HALF_BINARY(TYPE, TYPE##2, __hsub, a - b) \
  CUDASMITH_HALF_BINARY(TYPE, TYPE##2, __hmul, a* b) \
  CUDASMITH_HALF_BINARY(TYPE, TYPE##2, __hdiv, a / b) \
  CUDASMITH_HALF_BINARY(TYPE, TYPE##2, __hmax, std::fmax(a, b)) \
  CUDASMITH_HALF_BINARY(TYPE, TYPE##2, __hmin, std::fmin(a, b)) \
  CUDASMITH_HALF_COMPARE(TYPE, TYPE##2, __heq, ==) \
  CUDASMITH_HALF_COMPARE(TYPE, TYPE##2, __hne, !=) \
  CUDASMITH_HALF_COMPARE(TYPE, TYPE##2, __hlt, <) \
  CUDASMITH_HALF_COMPARE(TYPE, TYPE##2, __hle, <=) \
  CUDASMITH_HALF_COMPARE(TYPE, TYPE##2, __hgt, >) \
  CUDASMITH_HALF_COMPARE(TYPE, TYPE##2, __hge, >=) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, __hneg, __hneg2, -a) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, __habs, __habs2, std::fabs(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hexp, h2exp, std::exp(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hlog, h2log, std::log(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hsqrt, h2sqrt, std::sqrt(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hrsqrt, h2rsqrt, 1.0f / std::sqrt(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hrcp, h2rcp, 1.0f / a) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hsin, h2sin, std::sin(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hcos, h2cos, std::cos(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hfloor, h2floor, std::floor(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, hceil, h2ceil, std::ceil(a)) \
  CUDASMITH_HALF_UNARY(TYPE, TYPE##2, htanh, h2tanh, std::tanh(a)) \
  static inline bool __hisnan(TYPE p) { return std::isnan(static_cast<float>(p)); } \
  static inline int __hisinf(TYPE p) { return std::isinf(static_cast<float>(p)); } \
  static inline TYPE __hfma(TYPE p, TYPE q, TYPE r) { \
    return TYPE(static_cast<float>(static_cast<double>(static_cast<float>(p)) * static_cast<float>(q) + \
                                   static_cast<double>(static_cast<float>(r)))); \
  } \
  static inline TYPE##2 __hfma2(TYPE##2 p, TYPE##2 q, TYPE##2 r) { \
    return TYPE##2(__hfma(p.x, q.x, r.x), __hfma(p.y, q.y, r.y)); \
  }

CUDASMITH_HALF(__half, c10::Half)
CUDASMITH_HALF(__nv_bfloat16, c10::BFloat16)
// torch builds with __CUDA_NO_HALF_OPERATORS__, so those of __half are in half_operators.h, for builds that undo it.
CUDASMITH_HALF_OPERATORS(__nv_bfloat16, __nv_bfloat162)
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDASMITH_HALF_NAMES(TYPE, PAIR, S, TO_FLOAT, FROM_FLOAT, P2) \
  static inline float TO_FLOAT(TYPE v) { return static_cast<float>(v); } \
  static inline TYPE FROM_FLOAT(float v) { return TYPE(v); } \
  static inline TYPE FROM_FLOAT##_rn(float v) { return TYPE(v); } \
  static inline TYPE __double2##S(double v) { return TYPE(v); } \
  static inline TYPE __int2##S##_rn(int v) { return TYPE(v); } \
  static inline int __##S##2int_rn(TYPE v) { return __float2int_rn(static_cast<float>(v)); } \
  static inline int __##S##2int_rz(TYPE v) { return __float2int_rz(static_cast<float>(v)); } \
  static inline PAIR FROM_FLOAT##2_rn(float v) { return PAIR(TYPE(v), TYPE(v)); } \
  static inline PAIR __floats2##P2##_rn(float a, float b) { return PAIR(TYPE(a), TYPE(b)); } \
  static inline PAIR __float22##P2##_rn(float2 v) { return PAIR(TYPE(v.x), TYPE(v.y)); } \
  static inline float2 __##P2##2float2(PAIR v) { return float2{static_cast<float>(v.x), static_cast<float>(v.y)}; } \
  static inline PAIR __##S##2##P2(TYPE v) { return PAIR(v, v); } \
  static inline unsigned short __##S##_as_ushort(TYPE v) { return v.bits; } \
  static inline TYPE __ushort_as_##S(unsigned short v) { return ::cudasmith::bit_copy<TYPE>(v); }

CUDASMITH_HALF_NAMES(__half, __half2, half, __half2float, __float2half, half2)
CUDASMITH_HALF_NAMES(__nv_bfloat16, __nv_bfloat162, bfloat16, __bfloat162float, __float2bfloat16, bfloat162)
static inline __half __low2half(__half2 v) { return v.x; }
static inline __half __high2half(__half2 v) { return v.y; }
static inline float __low2float(__half2 v) { return static_cast<float>(v.x); }
static inline float __high2float(__half2 v) { return static_cast<float>(v.y); }
static inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
static inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
static inline float __low2float(__nv_bfloat162 v) { return static_cast<float>(v.x); }
static inline float __high2float(__nv_bfloat162 v) { return static_cast<float>(v.y); }
static inline __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
static inline __half2 make_half2(__half a, __half b) { return __half2(a, b); }
static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }

namespace cudasmith {
template <> struct Shuffled<__half> { using type = __half; };
template <> struct Shuffled<__half2> { using type = __half2; };
template <> struct Shuffled<__nv_bfloat16> { using type = __nv_bfloat16; };
template <> struct Shuffled<__nv_bfloat162> { using type = __nv_bfloat162; };
}  // namespace cudasmith
