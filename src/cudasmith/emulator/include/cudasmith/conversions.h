// Conversions and arithmetic with CUDA's rounding modes: __float2int_rd, __fadd_ru, __double2float_rz and their kin.
#pragma once
#include <cfenv>
#include <cmath>
#include <limits>

namespace cudasmith {
enum class Rounding { nearest = FE_TONEAREST, zero = FE_TOWARDZERO, down = FE_DOWNWARD, up = FE_UPWARD };

// Conversions to integers saturate. A NaN becomes 0, or the highest bit alone where 64 bits are on either side.
template <class I, class F>
I saturate(F v) {
  if (v != v) return sizeof(I) == 8 || sizeof(F) == 8 ? static_cast<I>(1ull << (8 * sizeof(I) - 1)) : I{0};
  if (v >= static_cast<F>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  if (v <= static_cast<F>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  return static_cast<I>(v);
}
// Sets the CPU's rounding mode for one operation, whose operands are volatile so that it stays inside.
class Rounded {
 public:
  explicit Rounded(Rounding mode) : before_(std::fegetround()) { std::fesetround(static_cast<int>(mode)); }
  ~Rounded() { std::fesetround(before_); }

 private:
  int before_;
};
}  // namespace cudasmith

#define CUDASMITH_ROUNDED(T, NAME, MODE, PARAMETERS, COPIES, EXPR) \
  static inline T NAME PARAMETERS { \
    const ::cudasmith::Rounded mode(::cudasmith::Rounding::MODE); \
    COPIES; \
    volatile T r = EXPR; \
    return r; \
  }
#define CUDASMITH_EVERY_ROUNDING(T, NAME, PARAMETERS, COPIES, EXPR) \
  static inline T NAME##_rn PARAMETERS { \
    COPIES; \
    return EXPR; \
  } \
  CUDASMITH_ROUNDED(T, NAME##_rz, zero, PARAMETERS, COPIES, EXPR) \
  CUDASMITH_ROUNDED(T, NAME##_rd, down, PARAMETERS, COPIES, EXPR) \
  CUDASMITH_ROUNDED(T, NAME##_ru, up, PARAMETERS, COPIES, EXPR)
#define CUDASMITH_TWO(T) volatile T a = x; volatile T b = y
#define CUDASMITH_ONE(T) volatile T a = x
CUDASMITH_EVERY_ROUNDING(float, __fadd, (float x, float y), CUDASMITH_TWO(float), a + b)
CUDASMITH_EVERY_ROUNDING(float, __fsub, (float x, float y), CUDASMITH_TWO(float), a - b)
CUDASMITH_EVERY_ROUNDING(float, __fmul, (float x, float y), CUDASMITH_TWO(float), a* b)
CUDASMITH_EVERY_ROUNDING(float, __fdiv, (float x, float y), CUDASMITH_TWO(float), a / b)
CUDASMITH_EVERY_ROUNDING(float, __fmaf, (float x, float y, float z), CUDASMITH_TWO(float), __builtin_fmaf(a, b, z))
CUDASMITH_EVERY_ROUNDING(float, __frcp, (float x), CUDASMITH_ONE(float), 1.0f / a)
CUDASMITH_EVERY_ROUNDING(float, __fsqrt, (float x), CUDASMITH_ONE(float), __builtin_sqrtf(a))
CUDASMITH_EVERY_ROUNDING(double, __dadd, (double x, double y), CUDASMITH_TWO(double), a + b)
CUDASMITH_EVERY_ROUNDING(double, __dsub, (double x, double y), CUDASMITH_TWO(double), a - b)
CUDASMITH_EVERY_ROUNDING(double, __dmul, (double x, double y), CUDASMITH_TWO(double), a* b)
CUDASMITH_EVERY_ROUNDING(double, __ddiv, (double x, double y), CUDASMITH_TWO(double), a / b)
CUDASMITH_EVERY_ROUNDING(double, __fma, (double x, double y, double z), CUDASMITH_TWO(double), __builtin_fma(a, b, z))
CUDASMITH_EVERY_ROUNDING(double, __drcp, (double x), CUDASMITH_ONE(double), 1.0 / a)
CUDASMITH_EVERY_ROUNDING(double, __dsqrt, (double x), CUDASMITH_ONE(double), __builtin_sqrt(a))
static inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }

#define CUDASMITH_INTEGER_OF(F, NAME, I, SHORT) \
  static inline I __##NAME##2##SHORT##_rn(F v) { return ::cudasmith::saturate<I>(std::nearbyint(v)); } \
  static inline I __##NAME##2##SHORT##_rz(F v) { return ::cudasmith::saturate<I>(std::trunc(v)); } \
  static inline I __##NAME##2##SHORT##_rd(F v) { return ::cudasmith::saturate<I>(std::floor(v)); } \
  static inline I __##NAME##2##SHORT##_ru(F v) { return ::cudasmith::saturate<I>(std::ceil(v)); }
#define CUDASMITH_INTEGERS_OF(F, NAME) \
  CUDASMITH_INTEGER_OF(F, NAME, int, int) \
  CUDASMITH_INTEGER_OF(F, NAME, unsigned, uint) \
  CUDASMITH_INTEGER_OF(F, NAME, long long, ll) \
  CUDASMITH_INTEGER_OF(F, NAME, unsigned long long, ull)
CUDASMITH_INTEGERS_OF(float, float)
CUDASMITH_INTEGERS_OF(double, double)
#define CUDASMITH_FLOAT_OF(F, NAME, I, SHORT) \
  CUDASMITH_EVERY_ROUNDING(F, __##SHORT##2##NAME, (I x), CUDASMITH_ONE(I), static_cast<F>(a))
CUDASMITH_FLOAT_OF(float, float, int, int)
CUDASMITH_FLOAT_OF(float, float, unsigned, uint)
CUDASMITH_FLOAT_OF(float, float, long long, ll)
CUDASMITH_FLOAT_OF(float, float, unsigned long long, ull)
CUDASMITH_FLOAT_OF(float, float, double, double)
CUDASMITH_FLOAT_OF(double, double, long long, ll)
CUDASMITH_FLOAT_OF(double, double, unsigned long long, ull)
static inline double __int2double_rn(int v) { return v; }
static inline double __uint2double_rn(unsigned v) { return v; }
