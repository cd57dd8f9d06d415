// Matrix products of a warp: mma.sync and ldmatrix. Products are exact and sums are kept in double, so a GPU's own rounding
// of partial sums is not modelled.
#pragma once
#include "half.h"
#include "runtime.h"

namespace cudasmith::tensor {

inline void need_whole_warp(unsigned lanes, const char* what) {
  if (lanes != 0xffffffffu) device_fault("EM202", std::string(what) + " needs all 32 lanes of a warp");
}

// Elements as they lie in a 32-bit register.
struct Half { using Accumulator = float; static constexpr int bits = 16; static double value(unsigned v) { return wide(of_bits<__half>(v)); } };
struct Bfloat { using Accumulator = float; static constexpr int bits = 16; static double value(unsigned v) { return wide(of_bits<__nv_bfloat16>(v)); } };
struct Tf32 {
  using Accumulator = float;
  static constexpr int bits = 32;
  static double value(unsigned v) { return bit_copy<float>(v & 0xffffe000u); }  // the low 13 bits are not read
};
struct S8 { using Accumulator = int; static constexpr int bits = 8; static double value(unsigned v) { return static_cast<signed char>(v); } };
struct U8 { using Accumulator = int; static constexpr int bits = 8; static double value(unsigned v) { return static_cast<unsigned char>(v); } };

template <class E>
double element(const unsigned* registers, int at) {
  constexpr int each = 32 / E::bits;
  return E::value(registers[at / each] >> (at % each * E::bits) & (E::bits == 32 ? ~0u : (1u << (E::bits % 32)) - 1));
}

// m16n8kK: lane = 4 * group + member; a register of A holds `each` neighbours of row group (+ 8), one of B of column group.
template <class A, class B, int K, class Sum>
struct Mma {
  static constexpr int each = 32 / A::bits, a_registers = K / (2 * each), b_registers = K / (4 * each);
  unsigned a[a_registers], b[b_registers];
  Sum c[4];

  static void together(void* const* brought, unsigned lanes) {
    need_whole_warp(lanes, "mma.sync");
    double left[16][K], right[K][8];
    for (int lane = 0; lane < 32; ++lane) {
      const Mma& m = *static_cast<Mma*>(brought[lane]);
      const int group = lane / 4, member = lane % 4;
      for (int i = 0; i < a_registers * each; ++i) {
        const int r = i / each;
        left[group + (r % 2) * 8][member * each + i % each + r / 2 * 4 * each] = element<A>(m.a, i);
      }
      for (int i = 0; i < b_registers * each; ++i) right[member * each + i % each + i / each * 4 * each][group] = element<B>(m.b, i);
    }
    for (int lane = 0; lane < 32; ++lane) {
      Mma& m = *static_cast<Mma*>(brought[lane]);
      for (int i = 0; i < 4; ++i) {
        const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        m.c[i] = sum(m.c[i], left[row], right, column);
      }
    }
  }
  template <class T>
  static T sum(T c, const double* row, const double (*right)[8], int column) {
    double total = as_double(c);
    for (int k = 0; k < K; ++k) total += row[k] * right[k][column];
    return from_double(total, c);
  }
  static double as_double(__half v) { return wide(v); }
  template <class T>
  static double as_double(T v) { return v; }
  static __half from_double(double v, __half) { return narrow<__half>(v); }
  static float from_double(double v, float) { return static_cast<float>(v); }
  static int from_double(double v, int) { return static_cast<int>(static_cast<unsigned>(static_cast<long long>(v))); }
};
// m8n8k4 of doubles.
struct MmaDouble {
  double a, b, c[2];
  static void together(void* const* brought, unsigned lanes) {
    need_whole_warp(lanes, "mma.sync");
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 2; ++i) {
        double& c = static_cast<MmaDouble*>(brought[lane])->c[i];
        for (int k = 0; k < 4; ++k)
          c = std::fma(static_cast<MmaDouble*>(brought[lane / 4 * 4 + k])->a, static_cast<MmaDouble*>(brought[(lane % 4 * 2 + i) * 4 + k])->b, c);
      }
  }
};

// Up to four 8x8 matrices of 16-bit elements; lane 8 m + r holds the address of row r of matrix m.
template <int N, bool Transposed>
struct LoadMatrix {
  const unsigned short* row;
  unsigned result[N];
  static void together(void* const* brought, unsigned lanes) {
    need_whole_warp(lanes, "ldmatrix");
    for (int lane = 0; lane < 8 * N; ++lane)
      if (reinterpret_cast<std::uintptr_t>(static_cast<LoadMatrix*>(brought[lane])->row) % 16 != 0)
        device_fault("EM101", "ldmatrix: the row address of lane " + std::to_string(lane) + " is no multiple of 16 bytes");
    for (int lane = 0; lane < 32; ++lane)
      for (int m = 0; m < N; ++m) {
        unsigned v = 0;
        for (int j = 0; j < 2; ++j) {
          const int r = Transposed ? lane % 4 * 2 + j : lane / 4, c = Transposed ? lane / 4 : lane % 4 * 2 + j;
          v |= static_cast<unsigned>(static_cast<LoadMatrix*>(brought[8 * m + r])->row[c]) << (16 * j);
        }
        static_cast<LoadMatrix*>(brought[lane])->result[m] = v;
      }
  }
};

}  // namespace cudasmith::tensor
