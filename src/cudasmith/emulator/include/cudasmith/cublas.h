// cuBLAS on the CPU: column-major, its checks of arguments, its statuses. Each call runs as a kernel of one thread, so
// that what it accesses is checked as a kernel's; products are the runtime library's.
#pragma once
#include "cublas_types.h"
#include "device_scratch.h"

#define CUDASMITH_CUBLAS_CALLED ::cudasmith::Called at = {__builtin_LINE()}
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode

inline cublasStatus_t cublasCreate(cublasHandle_t* h) {
  if (h == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return *h = new cublasContext, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t h) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return delete h, CUBLAS_STATUS_SUCCESS;
}
#define CUDASMITH_CUBLAS_STATE(NAME, T, MEMBER) \
  inline cublasStatus_t cublasSet##NAME(cublasHandle_t h, T v) { \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED; \
    return h->MEMBER = v, CUBLAS_STATUS_SUCCESS; \
  } \
  inline cublasStatus_t cublasGet##NAME(cublasHandle_t h, T* v) { \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED; \
    return *v = h->MEMBER, CUBLAS_STATUS_SUCCESS; \
  }
CUDASMITH_CUBLAS_STATE(Stream, cudaStream_t, stream)
CUDASMITH_CUBLAS_STATE(MathMode, cublasMath_t, math)
CUDASMITH_CUBLAS_STATE(PointerMode, cublasPointerMode_t, pointers)
CUDASMITH_CUBLAS_STATE(AtomicsMode, cublasAtomicsMode_t, atomics)
#undef CUDASMITH_CUBLAS_STATE
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void*, std::size_t) { return h == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetVersion(cublasHandle_t h, int* v) { return h == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : (*v = 130000, CUBLAS_STATUS_SUCCESS); }

namespace at::cuda {
inline cublasHandle_t getCurrentCUDABlasHandle() {
  static cublasContext handle;
  return &handle;
}
}  // namespace at::cuda
#undef TORCH_CUDABLAS_CHECK
#define TORCH_CUDABLAS_CHECK(EXPR) \
  do { \
    const cublasStatus_t cudasmith_status = EXPR; \
    TORCH_CHECK(cudasmith_status == CUBLAS_STATUS_SUCCESS, "CUDA error: ", cublasGetStatusName(cudasmith_status), " when calling `" #EXPR "`"); \
  } while (0)

namespace cudasmith {

// c += a * b of panels: a[i / Rows][l][i % Rows], b[j / 4][l][j % 4], c as a's and b's panels meet, column by column.
CUDASMITH_API void multiply_panels(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c);
CUDASMITH_API void multiply_panels(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c);

template <class Work>
cublasStatus_t cublas_run(const char* name, int line, Work work) {
  run_grid({name, line, dim3(1), dim3(1), 0, instrumented}, [](void* context) { (*static_cast<Work*>(context))(); }, &work);
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <class To, class From>
To blas_cast(From v) {
  if constexpr (std::is_same_v<From, __half>) return static_cast<To>(__half2float(v));
  else if constexpr (std::is_same_v<From, __nv_bfloat16>) return static_cast<To>(__bfloat162float(v));
  else if constexpr (std::is_same_v<To, __half>) return __float2half_rn(static_cast<float>(v));
  else if constexpr (std::is_same_v<To, __nv_bfloat16>) return __float2bfloat16_rn(static_cast<float>(v));
  else return static_cast<To>(v);
}
// What tensor cores keep of a float.
inline float as_tf32(float v) {
  if (!std::isfinite(v)) return v;
  std::uint32_t bits;
  std::memcpy(&bits, &v, 4);
  bits = (bits + 0x1000u) & ~0x1fffu;
  std::memcpy(&v, &bits, 4);
  return v;
}

struct GemmShape {
  cublasOperation_t transa, transb;
  int m, n, k, lda, ldb, ldc, batches = 1;
  long long stridea = 0, strideb = 0, stridec = 0;
  bool tf32 = false;

  static bool is_operation(cublasOperation_t o) { return o >= CUBLAS_OP_N && o <= CUBLAS_OP_C; }
  static bool fits(int ld, int rows) { return ld >= (rows > 1 ? rows : 1); }
  bool is_valid() const {
    return is_operation(transa) && is_operation(transb) && m >= 0 && n >= 0 && k >= 0 && batches >= 0 &&
           fits(lda, transa == CUBLAS_OP_N ? m : k) && fits(ldb, transb == CUBLAS_OP_N ? k : n) && fits(ldc, m);
  }
};

// rows x k of op(X), in panels of `Width` rows, zeros beyond them.
template <std::size_t Width, class C, class T>
void pack(const T* x, std::size_t row_step, std::size_t k_step, std::size_t rows, std::size_t k, bool tf32, const Scratch<C>& to) {
  for (std::size_t first = 0; first < rows; first += Width)
    for (std::size_t l = 0; l < k; ++l)
      for (std::size_t r = 0; r < Width; ++r) {
        C v = first + r < rows ? blas_cast<C>(x[(first + r) * row_step + l * k_step]) : C(0);
        if constexpr (std::is_same_v<C, float>) v = tf32 ? as_tf32(v) : v;
        to[(first * k) + l * Width + r] = v;
      }
}

// c = alpha * op(a) * op(b) + beta * c, computed and scaled in C. With beta 0, c is not read.
template <class C, class AB, class Out>
void gemm_once(const GemmShape& s, C alpha, const AB* a, const AB* b, C beta, Out* c) {
  constexpr std::size_t height = 32 / sizeof(C), width = 4;
  const auto padded = [](int n, std::size_t by) { return (static_cast<std::size_t>(n) + by - 1) / by * by; };
  const std::size_t m = padded(s.m, height), n = padded(s.n, width), k = static_cast<std::size_t>(s.k);
  const std::size_t lda = static_cast<std::size_t>(s.lda), ldb = static_cast<std::size_t>(s.ldb), ldc = static_cast<std::size_t>(s.ldc);
  Scratch<C> product(m * n);
  std::memset(&product[0], 0, m * n * sizeof(C));
  if (alpha != C(0) && k > 0) {
    Scratch<C> pa(m * k), pb(n * k);
    const bool ta = s.transa != CUBLAS_OP_N, tb = s.transb != CUBLAS_OP_N;
    pack<height>(a, ta ? lda : 1, ta ? 1 : lda, static_cast<std::size_t>(s.m), k, s.tf32, pa);
    pack<width>(b, tb ? 1 : ldb, tb ? ldb : 1, static_cast<std::size_t>(s.n), k, s.tf32, pb);
    multiply_panels(m, n, k, &pa[0], &pb[0], &product[0]);
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(s.n); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.m); ++i) {
      C v = alpha * product[j * m + i];
      if (beta != C(0)) v += beta * blas_cast<C>(c[j * ldc + i]);
      c[j * ldc + i] = blas_cast<Out>(v);
    }
}

// `pointers`: a, b and c are arrays of pointers, one for each batch.
template <class C, class Scale, class AB, class Out>
cublasStatus_t gemm(const char* name, int line, cublasHandle_t h, GemmShape s, const void* alpha, const void* a, const void* b,
                    const void* beta, void* c, bool pointers = false) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!s.is_valid() || alpha == nullptr || beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (s.m == 0 || s.n == 0 || s.batches == 0) return CUBLAS_STATUS_SUCCESS;
  s.tf32 = s.tf32 || (h->math == CUBLAS_TF32_TENSOR_OP_MATH && std::is_same_v<AB, float>);
  return cublas_run(name, line, [=] {
    const C alphas = blas_cast<C>(*static_cast<const Scale*>(alpha)), betas = blas_cast<C>(*static_cast<const Scale*>(beta));
    for (long long i = 0; i < s.batches; ++i) {
      const AB* ai = pointers ? static_cast<const AB* const*>(a)[i] : static_cast<const AB*>(a) + i * s.stridea;
      const AB* bi = pointers ? static_cast<const AB* const*>(b)[i] : static_cast<const AB*>(b) + i * s.strideb;
      Out* ci = pointers ? static_cast<Out* const*>(c)[i] : static_cast<Out*>(c) + i * s.stridec;
      gemm_once<C, AB, Out>(s, alphas, ai, bi, betas, ci);
    }
  });
}

inline cublasComputeType_t compute_of(cudaDataType_t t) {
  switch (t) {
    case CUDA_R_16F: return CUBLAS_COMPUTE_16F;
    case CUDA_R_64F: return CUBLAS_COMPUTE_64F;
    case CUDA_R_32I: return CUBLAS_COMPUTE_32I;
    default: return CUBLAS_COMPUTE_32F;
  }
}
// The combinations of types that cuBLAS documents, as far as they are real numbers.
inline cublasStatus_t gemm_ex(const char* name, int line, cublasHandle_t h, GemmShape s, const void* alpha, const void* a, cudaDataType_t ta,
                              const void* b, cudaDataType_t tb, const void* beta, void* c, cudaDataType_t tc, cublasComputeType_t compute,
                              bool pointers = false) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (ta != tb) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto is = [&](cudaDataType_t ab, cudaDataType_t out) { return ta == ab && tc == out; };
  const auto run = [&](auto C, auto Scale, auto AB, auto Out) {
    return gemm<decltype(C), decltype(Scale), decltype(AB), decltype(Out)>(name, line, h, s, alpha, a, b, beta, c, pointers);
  };
  const __half half{};
  const __nv_bfloat16 bfloat{};
  switch (compute) {
    case CUBLAS_COMPUTE_16F: case CUBLAS_COMPUTE_16F_PEDANTIC:
      return is(CUDA_R_16F, CUDA_R_16F) ? run(0.0f, half, half, half) : CUBLAS_STATUS_NOT_SUPPORTED;
    case CUBLAS_COMPUTE_64F: case CUBLAS_COMPUTE_64F_PEDANTIC:
      return is(CUDA_R_64F, CUDA_R_64F) ? run(0.0, 0.0, 0.0, 0.0) : CUBLAS_STATUS_NOT_SUPPORTED;
    case CUBLAS_COMPUTE_32I: case CUBLAS_COMPUTE_32I_PEDANTIC:  // sums below 2^53 are exact in double
      return is(CUDA_R_8I, CUDA_R_32I) ? run(0.0, 0, static_cast<signed char>(0), 0) : CUBLAS_STATUS_NOT_SUPPORTED;
    case CUBLAS_COMPUTE_32F_FAST_TF32: case CUBLAS_COMPUTE_32F_FAST_16F: case CUBLAS_COMPUTE_32F_FAST_16BF:
      s.tf32 = true;
      return is(CUDA_R_32F, CUDA_R_32F) ? run(0.0f, 0.0f, 0.0f, 0.0f) : CUBLAS_STATUS_NOT_SUPPORTED;
    case CUBLAS_COMPUTE_32F: case CUBLAS_COMPUTE_32F_PEDANTIC:
      if (is(CUDA_R_32F, CUDA_R_32F)) return run(0.0f, 0.0f, 0.0f, 0.0f);
      if (is(CUDA_R_16F, CUDA_R_16F)) return run(0.0f, 0.0f, half, half);
      if (is(CUDA_R_16F, CUDA_R_32F)) return run(0.0f, 0.0f, half, 0.0f);
      if (is(CUDA_R_16BF, CUDA_R_16BF)) return run(0.0f, 0.0f, bfloat, bfloat);
      if (is(CUDA_R_16BF, CUDA_R_32F)) return run(0.0f, 0.0f, bfloat, 0.0f);
      if (is(CUDA_R_8I, CUDA_R_32F)) return run(0.0f, 0.0f, static_cast<signed char>(0), 0.0f);
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace cudasmith

#define CUDASMITH_OPS cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k
#define CUDASMITH_GEMM(L, T, C) \
  inline cublasStatus_t cublas##L##gemm(CUDASMITH_OPS, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, \
                                        int ldc, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::gemm<C, T, T, T>("cublas" #L "gemm", at.line, h, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, a, b, beta, c); \
  } \
  inline cublasStatus_t cublas##L##gemmStridedBatched(CUDASMITH_OPS, const T* alpha, const T* a, int lda, long long stridea, const T* b, \
                                                      int ldb, long long strideb, const T* beta, T* c, int ldc, long long stridec, \
                                                      int batches, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::gemm<C, T, T, T>("cublas" #L "gemmStridedBatched", at.line, h, \
                                         {transa, transb, m, n, k, lda, ldb, ldc, batches, stridea, strideb, stridec}, alpha, a, b, beta, c); \
  } \
  inline cublasStatus_t cublas##L##gemmBatched(CUDASMITH_OPS, const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, \
                                               const T* beta, T* const c[], int ldc, int batches, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::gemm<C, T, T, T>("cublas" #L "gemmBatched", at.line, h, {transa, transb, m, n, k, lda, ldb, ldc, batches}, alpha, \
                                         a, b, beta, const_cast<T**>(c), true); \
  }
CUDASMITH_GEMM(S, float, float)
CUDASMITH_GEMM(D, double, double)
CUDASMITH_GEMM(H, __half, float)
#undef CUDASMITH_GEMM
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

// The type of the computation was a cudaDataType in old code.
#define CUDASMITH_GEMM_EX(COMPUTE, AS) \
  inline cublasStatus_t cublasGemmEx(CUDASMITH_OPS, const void* alpha, const void* a, cudaDataType_t ta, int lda, const void* b, \
                                     cudaDataType_t tb, int ldb, const void* beta, void* c, cudaDataType_t tc, int ldc, COMPUTE compute, \
                                     cublasGemmAlgo_t, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::gemm_ex("cublasGemmEx", at.line, h, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, a, ta, b, tb, beta, c, tc, AS); \
  } \
  inline cublasStatus_t cublasGemmStridedBatchedEx(CUDASMITH_OPS, const void* alpha, const void* a, cudaDataType_t ta, int lda, \
                                                   long long stridea, const void* b, cudaDataType_t tb, int ldb, long long strideb, \
                                                   const void* beta, void* c, cudaDataType_t tc, int ldc, long long stridec, int batches, \
                                                   COMPUTE compute, cublasGemmAlgo_t, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::gemm_ex("cublasGemmStridedBatchedEx", at.line, h, \
                                {transa, transb, m, n, k, lda, ldb, ldc, batches, stridea, strideb, stridec}, alpha, a, ta, b, tb, beta, c, \
                                tc, AS); \
  } \
  inline cublasStatus_t cublasGemmBatchedEx(CUDASMITH_OPS, const void* alpha, const void* const a[], cudaDataType_t ta, int lda, \
                                            const void* const b[], cudaDataType_t tb, int ldb, const void* beta, void* const c[], \
                                            cudaDataType_t tc, int ldc, int batches, COMPUTE compute, cublasGemmAlgo_t, \
                                            CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::gemm_ex("cublasGemmBatchedEx", at.line, h, {transa, transb, m, n, k, lda, ldb, ldc, batches}, alpha, a, ta, b, tb, \
                                beta, const_cast<void**>(c), tc, AS, true); \
  }
CUDASMITH_GEMM_EX(cublasComputeType_t, compute)
CUDASMITH_GEMM_EX(cudaDataType_t, ::cudasmith::compute_of(compute))
#undef CUDASMITH_GEMM_EX
inline cublasStatus_t cublasSgemmEx(CUDASMITH_OPS, const float* alpha, const void* a, cudaDataType_t ta, int lda, const void* b, cudaDataType_t tb,
                                    int ldb, const float* beta, void* c, cudaDataType_t tc, int ldc, CUDASMITH_CUBLAS_CALLED) {
  return ::cudasmith::gemm_ex("cublasSgemmEx", at.line, h, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, a, ta, b, tb, beta, c, tc, CUBLAS_COMPUTE_32F);
}
#undef CUDASMITH_OPS

namespace cudasmith {
// Element i of a vector whose steps may go backwards.
inline long long at_step(int i, int n, int inc) { return static_cast<long long>(inc >= 0 ? i : i - n + 1) * inc; }

template <class T>
cublasStatus_t gemv(const char* name, int line, cublasHandle_t h, cublasOperation_t trans, int m, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!GemmShape::is_operation(trans) || m < 0 || n < 0 || !GemmShape::fits(lda, m) || incx == 0 || incy == 0 || alpha == nullptr || beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  const bool t = trans != CUBLAS_OP_N;
  const int rows = t ? n : m, k = t ? m : n;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return cublas_run(name, line, [=] {
    for (int i = 0; i < rows; ++i) {
      double sum = 0;
      if (*alpha != T(0))
        for (int l = 0; l < k; ++l)
          sum += static_cast<double>(a[t ? static_cast<long long>(i) * lda + l : static_cast<long long>(l) * lda + i]) * static_cast<double>(x[at_step(l, k, incx)]);
      T& out = y[at_step(i, rows, incy)];
      const double before = *beta != T(0) ? static_cast<double>(*beta) * static_cast<double>(out) : 0.0;
      out = static_cast<T>(static_cast<double>(*alpha) * sum + before);
    }
  });
}

// A number of one or two vectors, in double; `finish` makes the result of the sum.
template <class T, class Term, class Finish>
cublasStatus_t vector_sum(const char* name, int line, cublasHandle_t h, int n, T* result, Term term, Finish finish) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return cublas_run(name, line, [=] {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += term(i);
    *result = static_cast<T>(finish(sum));
  });
}
template <class Each>
cublasStatus_t vector_map(const char* name, int line, cublasHandle_t h, int n, Each each) {
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return cublas_run(name, line, [=] {
    for (int i = 0; i < n; ++i) each(i);
  });
}
}  // namespace cudasmith

#define CUDASMITH_VECTORS(L, I, T) \
  inline cublasStatus_t cublas##L##gemv(cublasHandle_t h, cublasOperation_t trans, int m, int n, const T* alpha, const T* a, int lda, const T* x, \
                                        int incx, const T* beta, T* y, int incy, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::gemv("cublas" #L "gemv", at.line, h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy); \
  } \
  inline cublasStatus_t cublas##L##ger(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda, \
                                       CUDASMITH_CUBLAS_CALLED) { \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED; \
    if (m < 0 || n < 0 || incx == 0 || incy == 0 || alpha == nullptr || !::cudasmith::GemmShape::fits(lda, m)) return CUBLAS_STATUS_INVALID_VALUE; \
    return ::cudasmith::vector_map("cublas" #L "ger", at.line, h, n, [=](int j) { \
      for (int i = 0; i < m; ++i) a[static_cast<long long>(j) * lda + i] += *alpha * x[::cudasmith::at_step(i, m, incx)] * y[::cudasmith::at_step(j, n, incy)]; \
    }); \
  } \
  inline cublasStatus_t cublas##L##dot(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, T* result, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::vector_sum("cublas" #L "dot", at.line, h, n, result, [=](int i) { \
      return static_cast<double>(x[::cudasmith::at_step(i, n, incx)]) * static_cast<double>(y[::cudasmith::at_step(i, n, incy)]); }, [](double v) { return v; }); \
  } \
  inline cublasStatus_t cublas##L##nrm2(cublasHandle_t h, int n, const T* x, int incx, T* result, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::vector_sum("cublas" #L "nrm2", at.line, h, incx > 0 ? n : 0, result, [=](int i) { \
      const double v = static_cast<double>(x[static_cast<long long>(i) * incx]); return v * v; }, [](double v) { return std::sqrt(v); }); \
  } \
  inline cublasStatus_t cublas##L##asum(cublasHandle_t h, int n, const T* x, int incx, T* result, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::vector_sum("cublas" #L "asum", at.line, h, incx > 0 ? n : 0, result, [=](int i) { \
      return std::fabs(static_cast<double>(x[static_cast<long long>(i) * incx])); }, [](double v) { return v; }); \
  } \
  inline cublasStatus_t cublas##L##axpy(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y, int incy, CUDASMITH_CUBLAS_CALLED) { \
    if (h != nullptr && alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE; \
    return ::cudasmith::vector_map("cublas" #L "axpy", at.line, h, n, [=](int i) { \
      y[::cudasmith::at_step(i, n, incy)] += *alpha * x[::cudasmith::at_step(i, n, incx)]; }); \
  } \
  inline cublasStatus_t cublas##L##scal(cublasHandle_t h, int n, const T* alpha, T* x, int incx, CUDASMITH_CUBLAS_CALLED) { \
    if (h != nullptr && alpha == nullptr) return CUBLAS_STATUS_INVALID_VALUE; \
    return ::cudasmith::vector_map("cublas" #L "scal", at.line, h, incx > 0 ? n : 0, [=](int i) { x[static_cast<long long>(i) * incx] *= *alpha; }); \
  } \
  inline cublasStatus_t cublas##L##copy(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy, CUDASMITH_CUBLAS_CALLED) { \
    return ::cudasmith::vector_map("cublas" #L "copy", at.line, h, n, [=](int i) { y[::cudasmith::at_step(i, n, incy)] = x[::cudasmith::at_step(i, n, incx)]; }); \
  } \
  inline cublasStatus_t cublas##L##geam(cublasHandle_t h, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const T* alpha, \
                                        const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc, CUDASMITH_CUBLAS_CALLED) { \
    using Shape = ::cudasmith::GemmShape; \
    const bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N; \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED; \
    if (m < 0 || n < 0 || alpha == nullptr || beta == nullptr || !Shape::fits(lda, ta ? n : m) || !Shape::fits(ldb, tb ? n : m) || !Shape::fits(ldc, m)) \
      return CUBLAS_STATUS_INVALID_VALUE; \
    return ::cudasmith::vector_map("cublas" #L "geam", at.line, h, n, [=](long long j) { \
      for (long long i = 0; i < m; ++i) { \
        T v = *alpha != T(0) ? *alpha * a[ta ? i * lda + j : j * lda + i] : T(0); \
        if (*beta != T(0)) v += *beta * b[tb ? i * ldb + j : j * ldb + i]; \
        c[j * ldc + i] = v; \
      } \
    }); \
  } \
  /* The place counts from 1, as in Fortran. */ \
  inline cublasStatus_t cublasI##I##amax(cublasHandle_t h, int n, const T* x, int incx, int* result, CUDASMITH_CUBLAS_CALLED) { \
    if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED; \
    return ::cudasmith::cublas_run("cublasI" #I "amax", at.line, [=] { \
      int best = n > 0 && incx > 0 ? 1 : 0; \
      for (int i = 1; i < n && incx > 0; ++i) \
        if (std::fabs(x[static_cast<long long>(i) * incx]) > std::fabs(x[static_cast<long long>(best - 1) * incx])) best = i + 1; \
      *result = best; \
    }); \
  }
CUDASMITH_VECTORS(S, s, float)
CUDASMITH_VECTORS(D, d, double)
#undef CUDASMITH_VECTORS
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
#define cublasSdot_v2 cublasSdot
#define cublasSaxpy_v2 cublasSaxpy
#define cublasSscal_v2 cublasSscal

inline cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  if (rows < 0 || columns < 0 || bytes <= 0 || lda < rows || ldb < rows) return CUBLAS_STATUS_INVALID_VALUE;
  const auto size = [&](int n) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(bytes); };
  const cudaError_t e = cudaMemcpy2D(b, size(ldb), a, size(lda), size(rows), static_cast<std::size_t>(columns), cudaMemcpyDefault);
  return e == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return cublasSetMatrix(rows, columns, bytes, a, lda, b, ldb);
}
inline cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy) { return cublasSetMatrix(1, n, bytes, x, incx, y, incy); }
inline cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy) { return cublasSetMatrix(1, n, bytes, x, incx, y, incy); }
#undef CUDASMITH_CUBLAS_CALLED
