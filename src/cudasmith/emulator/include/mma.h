// nvcuda::wmma: warp-wide matrix fragments. Which lane holds which element is not defined by CUDA; here element i of a lane
// is number 32 i + lane of the matrix.
#pragma once
#include <cudasmith/prelude.h>

#include <cudasmith/tensor_cores.h>

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
inline float __float_to_tf32(float v) { return ::cudasmith::bit_copy<float>((::cudasmith::bit_copy<unsigned>(v) + 0x1000u) & 0xffffe000u); }

namespace detail {
template <class T>
struct Stored { using type = T; };
template <>
struct Stored<precision::tf32> { using type = float; };
// What a product sees of an element.
inline double seen(__half v) { return ::cudasmith::wide(v); }
inline double seen(__nv_bfloat16 v) { return ::cudasmith::wide(v); }
inline double seen(float v) { return ::cudasmith::bit_copy<float>(::cudasmith::bit_copy<unsigned>(v) & 0xffffe000u); }
inline double seen(signed char v) { return v; }
inline double seen(unsigned char v) { return v; }
inline double seen(double v) { return v; }
template <class Use, int M, int N, int K>
constexpr int rows() { return std::is_same_v<Use, matrix_b> ? K : M; }
template <class Use, int M, int N, int K>
constexpr int columns() { return std::is_same_v<Use, matrix_a> ? K : N; }
template <int M, int N, int K, class T>
constexpr bool exists() {
  if constexpr (std::is_same_v<T, precision::tf32>) return M == 16 && N == 16 && K == 8;
  if constexpr (std::is_same_v<T, double>) return M == 8 && N == 8 && K == 4;
  return K == 16 && ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
}
}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment {
  static constexpr bool sums = std::is_same_v<Use, accumulator>;
  static_assert(sums || detail::exists<M, N, K, T>(), "wmma has no fragment of this shape and type");
  static_assert(sums == std::is_void_v<Layout>, "matrix_a and matrix_b have a layout, accumulators have none");

 public:
  using element_type = T;
  using storage_element_type = typename detail::Stored<T>::type;
  static constexpr int rows = detail::rows<Use, M, N, K>(), columns = detail::columns<Use, M, N, K>(), held = rows * columns / 32;
  static constexpr int num_elements = !sums && std::is_same_v<T, __half> ? 16 : held;  // CUDA's halves lie there twice
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

namespace detail {
template <class F, class P>
void check(const P* p, unsigned ldm, int line) {
  constexpr unsigned bytes = sizeof(P);
  if (ldm * bytes % 16 != 0) ::cudasmith::device_fault("EM109", "wmma in line " + std::to_string(line) + ": the leading dimension " + std::to_string(ldm) + " is no multiple of 16 bytes");
  if (reinterpret_cast<std::uintptr_t>(p) % 16 != 0) ::cudasmith::device_fault("EM109", "wmma in line " + std::to_string(line) + ": the pointer is not aligned");
  __syncwarp(0xffffffffu, line);
}
template <class F>
std::size_t place(int i, unsigned ldm, bool by_rows) {
  const int number = 32 * (i % F::held) + ::cudasmith::lane(), row = number / F::columns, column = number % F::columns;
  return by_rows ? static_cast<std::size_t>(row) * ldm + static_cast<unsigned>(column) : static_cast<std::size_t>(column) * ldm + static_cast<unsigned>(row);
}
}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout, class P>
void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const P* p, unsigned ldm, CUDASMITH_HERE) {
  using F = fragment<Use, M, N, K, T, Layout>;
  static_assert(!std::is_void_v<Layout>, "an accumulator is loaded with the layout of its memory");
  static_assert(std::is_same_v<P, typename F::storage_element_type>, "the pointer's type is not the fragment's");
  detail::check<F>(p, ldm, line);
  for (int i = 0; i < F::num_elements; ++i) f.x[i] = p[detail::place<F>(i, ldm, std::is_same_v<Layout, row_major>)];
}
template <int M, int N, int K, class T>
void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* p, unsigned ldm, layout_t layout, CUDASMITH_HERE) {
  using F = fragment<accumulator, M, N, K, T>;
  detail::check<F>(p, ldm, line);
  for (int i = 0; i < F::num_elements; ++i) f.x[i] = p[detail::place<F>(i, ldm, layout == mem_row_major)];
}
template <int M, int N, int K, class T>
void store_matrix_sync(T* p, const fragment<accumulator, M, N, K, T>& f, unsigned ldm, layout_t layout, CUDASMITH_HERE) {
  using F = fragment<accumulator, M, N, K, T>;
  detail::check<F>(p, ldm, line);
  for (int i = 0; i < F::num_elements; ++i) p[detail::place<F>(i, ldm, layout == mem_row_major)] = f.x[i];
}
template <class Use, int M, int N, int K, class T, class Layout>
void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const typename detail::Stored<T>::type& v) {
  for (auto& x : f.x) x = v;
}

namespace detail {
template <class D, class A, class B, class C, int M, int N, int K>
struct Product {
  D* d;
  const A* a;
  const B* b;
  const C* c;
  static void together(void* const* brought, unsigned lanes) {
    ::cudasmith::tensor::need_whole_warp(lanes, "wmma::mma_sync");
    double left[M][K], right[K][N];
    for (int lane = 0; lane < 32; ++lane) {
      const Product& p = *static_cast<Product*>(brought[lane]);
      for (int i = 0; i < A::held; ++i) left[(32 * i + lane) / K][(32 * i + lane) % K] = seen(p.a->x[i]);
      for (int i = 0; i < B::held; ++i) right[(32 * i + lane) / N][(32 * i + lane) % N] = seen(p.b->x[i]);
    }
    for (int lane = 0; lane < 32; ++lane) {
      const Product& p = *static_cast<Product*>(brought[lane]);
      for (int i = 0; i < D::held; ++i) {
        const int row = (32 * i + lane) / N, column = (32 * i + lane) % N;
        double sum = whole(p.c->x[i]);
        for (int k = 0; k < K; ++k) sum += left[row][k] * right[k][column];
        set(p.d->x[i], sum);
      }
    }
  }
  static double whole(__half v) { return ::cudasmith::wide(v); }
  template <class T>
  static double whole(T v) { return v; }
  static void set(__half& to, double v) { to = ::cudasmith::narrow<__half>(v); }
  template <class T>
  static void set(T& to, double v) { to = static_cast<T>(v); }
};
}  // namespace detail

template <int M, int N, int K, class T, class LA, class LB, class TD, class TC>
void mma_sync(fragment<accumulator, M, N, K, TD>& d, const fragment<matrix_a, M, N, K, T, LA>& a,
              const fragment<matrix_b, M, N, K, T, LB>& b, const fragment<accumulator, M, N, K, TC>& c, bool = false, CUDASMITH_HERE) {
  using P = detail::Product<fragment<accumulator, M, N, K, TD>, fragment<matrix_a, M, N, K, T, LA>, fragment<matrix_b, M, N, K, T, LB>,
                            fragment<accumulator, M, N, K, TC>, M, N, K>;
  P mine{&d, &a, &b, &c};
  ::cudasmith::warp_together(0xffffffffu, P::together, &mine, line);
}

}  // namespace nvcuda::wmma
