// What the rewriter makes of inline PTX: registers without a type, and one function for each instruction.
#pragma once
#include "conversions.h"
#include "half.h"
#include "integers.h"
#include "memory.h"
#include "runtime.h"
#include "tensor_cores.h"
#include "warp.h"

namespace cudasmith::ptx {

// A register holds bits; instructions say what they are.
struct Reg {
  std::uint64_t bits = 0;
  template <class T>
  T as() const {
    T v;
    std::memcpy(static_cast<void*>(&v), &bits, sizeof(T));
    return v;
  }
  explicit operator bool() const { return bits != 0; }
};
template <class T>
Reg of(T v) {
  Reg r;
  std::memcpy(&r.bits, &v, sizeof(T));
  return r;
}
// An operand of asm, whose size must be its constraint's, as nvcc demands.
template <int Bytes, class T>
Reg in(const T& v) {
  const std::decay_t<T> copy = v;
  static_assert(sizeof(copy) == Bytes, "the operand's size is not that of its asm constraint");
  return of(copy);
}
template <int Bytes, class T>
void out(T& v, Reg r) {
  static_assert(sizeof(T) == Bytes, "the operand's size is not that of its asm constraint");
  std::memcpy(static_cast<void*>(&v), &r.bits, Bytes);
}
template <class T>
Reg constant(double v) { return of(static_cast<T>(v)); }
inline Reg integer(long long v) { return of(v); }

template <class T>
T* at(Reg address, long long offset) {
  T* p = reinterpret_cast<T*>(address.bits + static_cast<std::uint64_t>(offset));
  if (reinterpret_cast<std::uintptr_t>(p) % sizeof(T) != 0) device_fault("EM101", "misaligned access of " + std::to_string(sizeof(T)) + " bytes");
  return p;
}
// The whole vector must be aligned, as the instruction demands.
template <class T, int N>
T* vector_at(Reg address, long long offset) {
  const std::uint64_t p = address.bits + static_cast<std::uint64_t>(offset);
  if (p % (sizeof(T) * N) != 0) device_fault("EM101", "misaligned access of " + std::to_string(sizeof(T) * N) + " bytes");
  return reinterpret_cast<T*>(p);
}
// Loads extend to the register's size by the instruction's type.
template <class T>
Reg extended(T v) {
  if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) return of(static_cast<long long>(v));
  else return of(v);
}

// Arithmetic.
template <class T>
using bits_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
#define CUDASMITH_PTX_BINARY(NAME, INTEGER, REAL, HALF, HALF2) \
  template <class T> \
  Reg NAME(Reg x, Reg y) { \
    const T a = x.as<T>(), b = y.as<T>(); \
    if constexpr (std::is_integral_v<T>) { \
      using U = bits_type<T>; \
      (void)sizeof(U); \
      return of(static_cast<T>(INTEGER)); \
    } else if constexpr (std::is_floating_point_v<T>) { \
      return of(static_cast<T>(REAL)); \
    } else if constexpr (sizeof(T) == 2) { \
      return of(HALF(a, b)); \
    } else { \
      return of(HALF2(a, b)); \
    } \
  }
CUDASMITH_PTX_BINARY(add, static_cast<U>(a) + static_cast<U>(b), a + b, __hadd, __hadd2)
CUDASMITH_PTX_BINARY(sub, static_cast<U>(a) - static_cast<U>(b), a - b, __hsub, __hsub2)
CUDASMITH_PTX_BINARY(mul, static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b), a* b, __hmul, __hmul2)
CUDASMITH_PTX_BINARY(min, a < b ? a : b, std::fmin(a, b), __hmin, __hmin2)
CUDASMITH_PTX_BINARY(max, a < b ? b : a, std::fmax(a, b), __hmax, __hmax2)
CUDASMITH_PTX_BINARY(min_nan, a < b ? a : b, a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : std::fmin(a, b), __hmin_nan, __hmin2_nan)
CUDASMITH_PTX_BINARY(max_nan, a < b ? b : a, a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : std::fmax(a, b), __hmax_nan, __hmax2_nan)
CUDASMITH_PTX_BINARY(div, b == 0 ? static_cast<T>(~T{0}) : static_cast<T>(a / b), a / b, __hdiv, __h2div)
template <class T>
Reg rem(Reg x, Reg y) { return of(static_cast<T>(y.as<T>() == 0 ? x.as<T>() : x.as<T>() % y.as<T>())); }
template <class T>
Reg mul_wide(Reg x, Reg y) {
  if constexpr (sizeof(T) == 2) return of(static_cast<int>(x.as<T>()) * static_cast<int>(y.as<T>()));
  else return of(static_cast<std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>(x.as<T>()) * y.as<T>());
}
template <class T>
Reg mul_hi(Reg x, Reg y) {
  if constexpr (sizeof(T) == 8) return of(static_cast<T>(static_cast<std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>(x.as<T>()) * y.as<T>() >> 64));
  else return of(static_cast<T>(mul_wide<T>(x, y).template as<long long>() >> 32));
}
template <class T>
Reg fma(Reg x, Reg y, Reg z) {
  const T a = x.as<T>(), b = y.as<T>(), c = z.as<T>();
  if constexpr (std::is_floating_point_v<T>) return of(std::fma(a, b, c));
  else if constexpr (sizeof(T) == 2) return of(__hfma(a, b, c));
  else return of(__hfma2(a, b, c));
}
template <class T>
Reg mad(Reg x, Reg y, Reg z) {
  if constexpr (std::is_floating_point_v<T>) return fma<T>(x, y, z);
  else return add<T>(mul<T>(x, y), z);
}
template <class T>
Reg mad_wide(Reg x, Reg y, Reg z) { return add<long long>(mul_wide<T>(x, y), z); }
#define CUDASMITH_PTX_BITS(NAME, EXPR) \
  template <class T> \
  Reg NAME(Reg x, Reg y) { \
    const T a = x.as<T>(), b = y.as<T>(); \
    return of(static_cast<T>(EXPR)); \
  }
CUDASMITH_PTX_BITS(and_, a& b)
CUDASMITH_PTX_BITS(or_, a | b)
CUDASMITH_PTX_BITS(xor_, a ^ b)
template <class T>
Reg shl(Reg x, Reg y) { return of(static_cast<T>(y.as<unsigned>() >= 8 * sizeof(T) ? 0 : static_cast<bits_type<T>>(x.as<T>()) << y.as<unsigned>())); }
template <class T>
Reg shr(Reg x, Reg y) {
  const unsigned by = y.as<unsigned>(), most = 8 * sizeof(T) - 1;
  if (by > most) return of(static_cast<T>(x.as<T>() < 0 ? -1 : 0));
  return of(static_cast<T>(x.as<T>() >> by));
}
template <class T>
Reg not_(Reg x) {
  if constexpr (std::is_same_v<T, bool>) return of(!x.as<bool>());
  else return of(static_cast<T>(~x.as<T>()));
}
template <class T>
Reg neg(Reg x) {
  const T a = x.as<T>();
  if constexpr (std::is_arithmetic_v<T>) return of(static_cast<T>(0 - a));
  else if constexpr (sizeof(T) == 2) return of(__hneg(a));
  else return of(__hneg2(a));
}
template <>
inline Reg neg<float>(Reg x) { return of(-x.as<float>()); }
template <>
inline Reg neg<double>(Reg x) { return of(-x.as<double>()); }
template <class T>
Reg abs(Reg x) {
  const T a = x.as<T>();
  if constexpr (std::is_floating_point_v<T>) return of(std::fabs(a));
  else if constexpr (std::is_arithmetic_v<T>) return of(static_cast<T>(a < 0 ? 0 - a : a));
  else if constexpr (sizeof(T) == 2) return of(__habs(a));
  else return of(__habs2(a));
}
#define CUDASMITH_PTX_FUNCTION(NAME, REAL, HALF, HALF2) \
  template <class T> \
  Reg NAME(Reg x) { \
    const T a = x.as<T>(); \
    if constexpr (std::is_floating_point_v<T>) return of(static_cast<T>(REAL)); \
    else if constexpr (sizeof(T) == 2) return of(HALF(a)); \
    else return of(HALF2(a)); \
  }
CUDASMITH_PTX_FUNCTION(ex2, std::exp2(a), hexp2, h2exp2)
CUDASMITH_PTX_FUNCTION(lg2, std::log2(a), hlog2, h2log2)
CUDASMITH_PTX_FUNCTION(rcp, 1 / a, hrcp, h2rcp)
CUDASMITH_PTX_FUNCTION(sqrt, std::sqrt(a), hsqrt, h2sqrt)
CUDASMITH_PTX_FUNCTION(rsqrt, 1 / std::sqrt(a), hrsqrt, h2rsqrt)
CUDASMITH_PTX_FUNCTION(sin, std::sin(a), hsin, h2sin)
CUDASMITH_PTX_FUNCTION(cos, std::cos(a), hcos, h2cos)
CUDASMITH_PTX_FUNCTION(tanh, std::tanh(a), htanh, h2tanh)
template <class T>
Reg popc(Reg x) { return of(__popcll(static_cast<bits_type<T>>(x.as<T>()))); }
template <class T>
Reg clz(Reg x) { return of(sizeof(T) == 8 ? __clzll(x.as<long long>()) : __clz(x.as<int>())); }
template <class T>
Reg brev(Reg x) {
  if constexpr (sizeof(T) == 8) return of(__brevll(x.as<unsigned long long>()));
  else return of(__brev(x.as<unsigned>()));
}
template <class T>
Reg bfe(Reg x, Reg from, Reg count) {
  const unsigned at = from.as<unsigned>() & 0xff, n = count.as<unsigned>() & 0xff, all = 8 * sizeof(T);
  std::uint64_t field = at >= all ? 0 : static_cast<bits_type<T>>(x.as<T>()) >> at;
  if (n < all) field &= (std::uint64_t{1} << n) - 1;
  if (std::is_signed_v<T> && n > 0 && n < all && (field >> (n - 1) & 1)) field |= ~std::uint64_t{0} << n;
  return of(static_cast<T>(field));
}
template <class T>
Reg bfi(Reg x, Reg into, Reg from, Reg count) {
  const unsigned at = from.as<unsigned>() & 0xff, n = count.as<unsigned>() & 0xff;
  if (at >= 8 * sizeof(T) || n == 0) return into;
  const std::uint64_t mask = (n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1) << at;
  return of(static_cast<T>((into.bits & ~mask) | (x.bits << at & mask)));
}
template <class T>
Reg prmt(Reg x, Reg y, Reg s) { return of(__byte_perm(x.as<unsigned>(), y.as<unsigned>(), s.as<unsigned>())); }
template <class T>
Reg lop3(Reg x, Reg y, Reg z, Reg table) {
  const unsigned a = x.as<unsigned>(), b = y.as<unsigned>(), c = z.as<unsigned>();
  unsigned r = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table.bits >> i & 1) r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return of(r);
}
template <class T>
Reg selp(Reg x, Reg y, Reg p) { return p ? x : y; }
template <class T>
Reg dp4a(Reg x, Reg y, Reg z) { return of(__dp4a(x.as<T>(), y.as<T>(), z.as<T>())); }
#define CUDASMITH_PTX_COMPARE(NAME, EXPR) \
  template <class T> \
  Reg NAME(Reg x, Reg y) { \
    const auto v = [](T w) { \
      if constexpr (std::is_arithmetic_v<T>) return w; \
      else return wide(w); \
    }; \
    const auto a = v(x.as<T>()), b = v(y.as<T>()); \
    return of(static_cast<bool>(EXPR)); \
  }
CUDASMITH_PTX_COMPARE(set_eq, a == b)
CUDASMITH_PTX_COMPARE(set_ne, a == a && b == b && a != b)
CUDASMITH_PTX_COMPARE(set_lt, a < b)
CUDASMITH_PTX_COMPARE(set_le, a <= b)
CUDASMITH_PTX_COMPARE(set_gt, a > b)
CUDASMITH_PTX_COMPARE(set_ge, a >= b)

// Conversions. To an integer: a mode rni, rzi, rmi or rpi says how to round.
template <class D, class S>
Reg convert(Reg x, Rounding mode) {
  const S v = x.as<S>();
  constexpr bool half = !std::is_arithmetic_v<S>;
  if constexpr (!std::is_arithmetic_v<D>) {
    if constexpr (half) return of(narrow<D>(wide(v)));
    else return of(narrow<D>(static_cast<long double>(v), mode));
  } else if constexpr (half) {
    return convert<D, float>(of(wide(v)), mode);
  } else if constexpr (std::is_integral_v<D> && std::is_floating_point_v<S>) {
    const S r = mode == Rounding::nearest ? std::nearbyint(v) : mode == Rounding::down ? std::floor(v) : mode == Rounding::up ? std::ceil(v) : std::trunc(v);
    return extended(saturate<D>(r));
  } else if constexpr (std::is_integral_v<D>) {
    return extended(static_cast<D>(v));
  } else if constexpr (std::is_same_v<D, S>) {
    return of(mode == Rounding::nearest ? std::nearbyint(v) : mode == Rounding::down ? std::floor(v) : mode == Rounding::up ? std::ceil(v) : std::trunc(v));
  } else {
    const Rounded rounded(mode);
    volatile S s = v;
    volatile D d = static_cast<D>(s);
    return of(static_cast<D>(d));
  }
}
template <class H2, class H>
Reg convert_pair(Reg high, Reg low, Rounding mode) {
  return of(H2(narrow<H>(static_cast<long double>(low.as<float>()), mode), narrow<H>(static_cast<long double>(high.as<float>()), mode)));
}
inline Reg to_tf32(Reg x) { return of((x.as<unsigned>() + 0x1000u) & 0xffffe000u); }  // to nearest, ties away

// Memory.
template <class T>
Reg atomic_now(const char op, T* p, Reg b, Reg c, bool& unchanged) {
  CUDASMITH_ATOMIC_ACCESS(p);
  const T old = *p, v = b.as<T>();
  const Reg x = of(old);
  switch (op) {
    case '+': *p = add<T>(x, b).template as<T>(); break;
    case 'm': *p = min<T>(x, b).template as<T>(); break;
    case 'M': *p = max<T>(x, b).template as<T>(); break;
    case '=': *p = v; break;
    default:
      if constexpr (std::is_integral_v<T>) {
        if (op == '&') *p = old & v;
        if (op == '|') *p = old | v;
        if (op == '^') *p = old ^ v;
        if (op == 'i') *p = old >= v ? 0 : old + 1;
        if (op == 'd') *p = old == 0 || old > v ? v : old - 1;
        if (op == '?' && old == v) *p = c.as<T>();
      }
  }
  unchanged = of(*p).bits == x.bits;
  return x;
}
template <class T>
Reg atomic(const char op, T* p, Reg b, Reg c) {
  bool unchanged;
  const Reg old = atomic_now(op, p, b, c, unchanged);
  if (op == '?' && old.bits != of(b.as<T>()).bits) yield_thread();  // else a loop that waits would never end
  if (unchanged) polled(p, sizeof(T));
  return old;
}
inline Reg to_shared(Reg x) { return of(static_cast<std::uint64_t>(__cvta_generic_to_shared(x.as<void*>()))); }

// Warps.
inline unsigned lanemask(char which) {
  const unsigned self = 1u << lane();
  return which == 'e' ? self : which == 'l' ? self - 1 : which == 'L' ? self | (self - 1) : which == 'g' ? ~(self | (self - 1)) : ~(self - 1);
}
// The clamp operand packs a segment's mask and the last lane, as the instruction's manual has it.
inline Reg shuffle_raw(char mode, Reg a, Reg by, Reg clamp, Reg mask, Reg& inside, int line) {
  const unsigned self = static_cast<unsigned>(lane()), c = clamp.as<unsigned>(), segment = c >> 8 & 31, last = c & 31, b = by.as<unsigned>() & 31;
  const unsigned most = (self & segment) | (last & ~segment), least = self & segment;
  unsigned source = mode == 'u' ? self - b : mode == 'd' ? self + b : mode == 'b' ? self ^ b : least | (b & ~segment);
  const bool p = mode == 'u' ? static_cast<int>(source) >= static_cast<int>(most) : source <= most;
  if (!p) source = self;
  inside = of(p);
  return of(shuffle(mask.as<unsigned>(), a.as<unsigned>(), static_cast<int>(source), line));
}
template <class A, class B, int K, class Sum>
void mma(Reg* d, const Reg* a, const Reg* b, const Reg* c, int line) {
  using M = tensor::Mma<A, B, K, Sum>;
  M mine;
  for (int i = 0; i < M::a_registers; ++i) mine.a[i] = a[i].as<unsigned>();
  for (int i = 0; i < M::b_registers; ++i) mine.b[i] = b[i].as<unsigned>();
  constexpr int registers = sizeof(Sum);  // four numbers of 4 bytes in four registers, or of 2 in two
  for (int i = 0; i < registers; ++i) std::memcpy(reinterpret_cast<char*>(mine.c) + 4 * i, &c[i].bits, 4);
  warp_together(0xffffffffu, M::together, &mine, line);
  for (int i = 0; i < registers; ++i) {
    d[i] = Reg{};
    std::memcpy(&d[i].bits, reinterpret_cast<char*>(mine.c) + 4 * i, 4);
  }
}
inline void mma_double(Reg* d, const Reg* a, const Reg* b, const Reg* c, int line) {
  tensor::MmaDouble mine{a[0].as<double>(), b[0].as<double>(), {c[0].as<double>(), c[1].as<double>()}};
  warp_together(0xffffffffu, tensor::MmaDouble::together, &mine, line);
  d[0] = of(mine.c[0]), d[1] = of(mine.c[1]);
}
template <int N, bool Transposed>
void ldmatrix(Reg* d, Reg address, long long offset, int line) {
  tensor::LoadMatrix<N, Transposed> mine{reinterpret_cast<const unsigned short*>(address.bits + static_cast<std::uint64_t>(offset)), {}};
  warp_together(0xffffffffu, tensor::LoadMatrix<N, Transposed>::together, &mine, line);
  for (int i = 0; i < N; ++i) d[i] = of(mine.result[i]);
}

// mbarrier: 8 bytes of shared memory. Bits: 20 expected, 20 pending, 1 phase, the rest a mark of an initialised one.
struct MBarrier {
  static constexpr std::uint64_t mark = 0x2a5a5a;
  std::uint64_t expected : 20, pending : 20, phase : 1, known : 23;
};
inline MBarrier* mbarrier(Reg address, long long offset) {
  MBarrier* b = at<MBarrier>(address, offset);
  if (b->known != MBarrier::mark) device_fault("EM205", "an mbarrier is used before mbarrier.init");
  return b;
}
// Arriving and waiting order the threads, as a release and an acquire do.
#define CUDASMITH_MBARRIER_ACCESS(ADDRESS, OFFSET) \
  CUDASMITH_FENCE(); \
  CUDASMITH_ATOMIC_ACCESS(reinterpret_cast<const void*>((ADDRESS).bits + static_cast<std::uint64_t>(OFFSET)))
inline void mbarrier_init(Reg address, long long offset, Reg count) {
  *at<MBarrier>(address, offset) = MBarrier{count.as<unsigned>(), count.as<unsigned>(), 0, MBarrier::mark};
}
inline void mbarrier_inval(Reg address, long long offset) { mbarrier(address, offset)->known = 0; }
inline Reg mbarrier_arrive(Reg address, long long offset, Reg count) {
  CUDASMITH_MBARRIER_ACCESS(address, offset);
  MBarrier* b = mbarrier(address, offset);
  const Reg state = of(static_cast<std::uint64_t>(b->phase));
  if (b->pending < count.as<unsigned>()) device_fault("EM205", "more arrivals at an mbarrier than it expects");
  b->pending -= count.as<unsigned>();
  if (b->pending == 0) b->pending = b->expected, b->phase ^= 1;
  return state;
}
// Whether the phase of this parity has ended. A loop that waits for it lets the others run, and ends when none can.
inline MBarrier mbarrier_now(Reg address, long long offset) {
  CUDASMITH_MBARRIER_ACCESS(address, offset);
  return *mbarrier(address, offset);
}
inline Reg mbarrier_test(Reg address, long long offset, Reg parity) {
  thread_local unsigned fruitless = 0;
  const MBarrier b = mbarrier_now(address, offset);
  const bool done = b.phase != (parity.bits & 1);
  if (done || yield_thread()) fruitless = 0;
  else if (++fruitless > 1000000) device_fault("EM205", "an mbarrier is waited for that no thread can complete: " + std::to_string(static_cast<unsigned>(b.pending)) + " arrivals are missing");
  return of(done);
}

}  // namespace cudasmith::ptx
