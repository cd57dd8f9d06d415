// Products of packed matrices: blocks of four columns and 32 bytes of rows in registers.
#include <cstddef>

#include "../include/cudasmith/runtime.h"

namespace cudasmith {

CUDASMITH_API void multiply_panels(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c);
CUDASMITH_API void multiply_panels(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c);

namespace {

constexpr std::size_t columns = 4, depth = 256;  // so many l at a time: a panel of each stays in the first cache

template <class T>
void multiply(std::size_t m, std::size_t n, std::size_t k, const T* a, const T* b, T* c) {
  typedef T Rows __attribute__((vector_size(32), may_alias, aligned(alignof(T))));
  constexpr std::size_t rows = 32 / sizeof(T);
  for (std::size_t l0 = 0; l0 < k; l0 += depth) {
    const std::size_t l1 = l0 + depth < k ? l0 + depth : k;
    for (std::size_t j = 0; j < n; j += columns)
      for (std::size_t i = 0; i < m; i += rows) {
        Rows sum[columns] = {};
        for (std::size_t l = l0; l < l1; ++l) {
          const Rows va = *reinterpret_cast<const Rows*>(a + i * k + l * rows);
          for (std::size_t q = 0; q < columns; ++q) sum[q] += va * b[j * k + l * columns + q];
        }
        for (std::size_t q = 0; q < columns; ++q) *reinterpret_cast<Rows*>(c + (j + q) * m + i) += sum[q];
      }
  }
}

}  // namespace

void multiply_panels(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c) { multiply(m, n, k, a, b, c); }
void multiply_panels(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c) { multiply(m, n, k, a, b, c); }

}  // namespace cudasmith
