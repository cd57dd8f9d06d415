// Integer intrinsics: bits, products, differences, and the arithmetic on two halves or four bytes of a word.
#pragma once
#include <cstdint>

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
static inline unsigned long long __brevll(unsigned long long v) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(v))) << 32 | __brev(static_cast<unsigned>(v >> 32));
}
// The position of the n-th set bit of the mask from `base`, upwards for a positive n, or -1.
static inline unsigned __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return mask >> base & 1u ? base : 0xffffffffu;
  const int step = n > 0 ? 1 : -1;
  int left = n > 0 ? n : -n;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step)
    if ((mask >> i & 1u) && --left == 0) return static_cast<unsigned>(i);
  return 0xffffffffu;
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
static inline long long __mul64hi(long long a, long long b) { return static_cast<long long>(static_cast<__int128>(a) * b >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
// The product's low 32 bits of the operands' low 24, sign-extended or not.
static inline int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(a) << 8) >> 8) *
                          static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(b) << 8) >> 8));
}
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
static inline unsigned __sad(int a, int b, unsigned c) {
  return c + (a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a) : static_cast<unsigned>(a) - static_cast<unsigned>(b));
}
static inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a < b ? b - a : a - b); }
static inline int __hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
static inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
static inline unsigned __uhadd(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1); }
static inline unsigned __urhadd(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1); }
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(hi) << 32 | lo) << (s & 31)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> (s & 31));
}
static inline unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s) { return s >= 32 ? lo : __funnelshift_l(lo, hi, s); }
static inline unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) { return s >= 32 ? hi : __funnelshift_r(lo, hi, s); }

namespace cudasmith {
template <class A, class B>
int dot4(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) c += static_cast<A>(a >> (8 * i)) * static_cast<B>(b >> (8 * i));
  return c;
}
template <class A, class B>
int dot2(int a, int b, int c, int at) {
  for (int i = 0; i < 2; ++i) c += static_cast<A>(a >> (16 * i)) * static_cast<B>(b >> (8 * (i + at)));
  return c;
}
// The parts of two words, combined: `Part` is the type in which f sees them.
template <class Part, class F>
unsigned parts(unsigned a, unsigned b, F f) {
  unsigned r = 0;
  constexpr int bits = 8 * sizeof(Part);
  for (int at = 0; at < 32; at += bits)
    r |= (static_cast<unsigned>(f(static_cast<Part>(a >> at), static_cast<Part>(b >> at))) & ((1u << bits) - 1)) << at;
  return r;
}
template <class Part>
int clamp_part(int v) {
  constexpr int low = static_cast<Part>(-1) < 0 ? -(1 << (8 * sizeof(Part) - 1)) : 0;
  constexpr int high = low + (1 << (8 * sizeof(Part))) - 1;
  return v < low ? low : v > high ? high : v;
}
}  // namespace cudasmith
static inline int __dp4a(int a, int b, int c) { return ::cudasmith::dot4<int8_t, int8_t>(a, b, c); }
static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(::cudasmith::dot4<uint8_t, uint8_t>(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
}
static inline int __dp2a_lo(int a, int b, int c) { return ::cudasmith::dot2<int16_t, int8_t>(a, b, c, 0); }
static inline int __dp2a_hi(int a, int b, int c) { return ::cudasmith::dot2<int16_t, int8_t>(a, b, c, 2); }
static inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(::cudasmith::dot2<uint16_t, uint8_t>(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c), 0));
}
static inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(::cudasmith::dot2<uint16_t, uint8_t>(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c), 2));
}

#define CUDASMITH_PARTS(NAME, PART, EXPR) \
  static inline unsigned NAME(unsigned a, unsigned b) { \
    return ::cudasmith::parts<PART>(a, b, [](int x, int y) { return EXPR; }); \
  }
#define CUDASMITH_PARTS_COMPARE(WIDTH, S, U, NAME, OP) \
  CUDASMITH_PARTS(__vcmp##NAME##s##WIDTH, S, x OP y ? -1 : 0) \
  CUDASMITH_PARTS(__vcmp##NAME##u##WIDTH, U, x OP y ? -1 : 0) \
  CUDASMITH_PARTS(__vset##NAME##s##WIDTH, S, x OP y) \
  CUDASMITH_PARTS(__vset##NAME##u##WIDTH, U, x OP y)
#define CUDASMITH_PARTS_OF(WIDTH, S, U) \
  CUDASMITH_PARTS(__vadd##WIDTH, U, x + y) \
  CUDASMITH_PARTS(__vsub##WIDTH, U, x - y) \
  CUDASMITH_PARTS(__vaddss##WIDTH, S, ::cudasmith::clamp_part<S>(x + y)) \
  CUDASMITH_PARTS(__vaddus##WIDTH, U, ::cudasmith::clamp_part<U>(x + y)) \
  CUDASMITH_PARTS(__vsubss##WIDTH, S, ::cudasmith::clamp_part<S>(x - y)) \
  CUDASMITH_PARTS(__vsubus##WIDTH, U, ::cudasmith::clamp_part<U>(x - y)) \
  CUDASMITH_PARTS(__vmaxs##WIDTH, S, x < y ? y : x) \
  CUDASMITH_PARTS(__vmaxu##WIDTH, U, x < y ? y : x) \
  CUDASMITH_PARTS(__vmins##WIDTH, S, y < x ? y : x) \
  CUDASMITH_PARTS(__vminu##WIDTH, U, y < x ? y : x) \
  CUDASMITH_PARTS(__vabsdiffs##WIDTH, S, x < y ? y - x : x - y) \
  CUDASMITH_PARTS(__vabsdiffu##WIDTH, U, x < y ? y - x : x - y) \
  CUDASMITH_PARTS(__vhaddu##WIDTH, U, (x + y) / 2) \
  CUDASMITH_PARTS(__vavgu##WIDTH, U, (x + y + 1) / 2) \
  CUDASMITH_PARTS(__vcmpeq##WIDTH, U, x == y ? -1 : 0) \
  CUDASMITH_PARTS(__vcmpne##WIDTH, U, x != y ? -1 : 0) \
  CUDASMITH_PARTS(__vseteq##WIDTH, U, x == y) \
  CUDASMITH_PARTS(__vsetne##WIDTH, U, x != y) \
  CUDASMITH_PARTS_COMPARE(WIDTH, S, U, ge, >=) \
  CUDASMITH_PARTS_COMPARE(WIDTH, S, U, gt, >) \
  CUDASMITH_PARTS_COMPARE(WIDTH, S, U, le, <=) \
  CUDASMITH_PARTS_COMPARE(WIDTH, S, U, lt, <) \
  static inline unsigned __vneg##WIDTH(unsigned a) { return __vsub##WIDTH(0, a); } \
  static inline unsigned __vnegss##WIDTH(unsigned a) { return __vsubss##WIDTH(0, a); } \
  static inline unsigned __vabs##WIDTH(unsigned a) { return ::cudasmith::parts<S>(a, 0, [](int x, int) { return x < 0 ? -x : x; }); } \
  static inline unsigned __vabsss##WIDTH(unsigned a) { \
    return ::cudasmith::parts<S>(a, 0, [](int x, int) { return ::cudasmith::clamp_part<S>(x < 0 ? -x : x); }); \
  } \
  static inline unsigned __vsads##WIDTH(unsigned a, unsigned b) { \
    unsigned sum = 0; \
    ::cudasmith::parts<S>(a, b, [&](int x, int y) { return sum += static_cast<unsigned>(x < y ? y - x : x - y); }); \
    return sum; \
  } \
  static inline unsigned __vsadu##WIDTH(unsigned a, unsigned b) { \
    unsigned sum = 0; \
    ::cudasmith::parts<U>(a, b, [&](int x, int y) { return sum += static_cast<unsigned>(x < y ? y - x : x - y); }); \
    return sum; \
  }
CUDASMITH_PARTS_OF(2, int16_t, uint16_t)
CUDASMITH_PARTS_OF(4, int8_t, uint8_t)
