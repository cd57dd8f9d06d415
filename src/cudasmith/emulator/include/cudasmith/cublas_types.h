// cuBLAS's enumerations and its handle.
#pragma once
#include <cudasmith/prelude.h>

enum cudaDataType_t {
  CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_8I = 3, CUDA_C_32F = 4, CUDA_C_64F = 5, CUDA_C_16F = 6, CUDA_C_8I = 7,
  CUDA_R_8U = 8, CUDA_C_8U = 9, CUDA_R_32I = 10, CUDA_C_32I = 11, CUDA_R_32U = 12, CUDA_C_32U = 13, CUDA_R_16BF = 14,
  CUDA_C_16BF = 15, CUDA_R_8F_E4M3 = 28, CUDA_R_8F_E5M2 = 29
};
typedef cudaDataType_t cudaDataType;
enum libraryPropertyType { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };

#define CUDASMITH_CUBLAS_STATUSES(_) \
  _(CUBLAS_STATUS_SUCCESS, 0, "success") \
  _(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized") \
  _(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed") \
  _(CUBLAS_STATUS_INVALID_VALUE, 7, "an unsupported value or parameter was passed to the function") \
  _(CUBLAS_STATUS_ARCH_MISMATCH, 8, "the function requires an architectural feature absent from the architecture of the device") \
  _(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to GPU memory space failed") \
  _(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the function failed to launch on the GPU") \
  _(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed") \
  _(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the functionality requested is not supported") \
  _(CUBLAS_STATUS_LICENSE_ERROR, 16, "the functionality requested requires some license and an error was detected when trying to check the current licensing")
enum cublasStatus_t {
#define CUDASMITH_STATUS(NAME, NUMBER, TEXT) NAME = NUMBER,
  CUDASMITH_CUBLAS_STATUSES(CUDASMITH_STATUS)
#undef CUDASMITH_STATUS
};
typedef cublasStatus_t cublasStatus;
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71, CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cublasGemmAlgo_t {
  CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1 = 1, CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_ALGO0_TENSOR_OP = 100
};

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
};
typedef cublasContext* cublasHandle_t;

inline const char* cublasGetStatusName(cublasStatus_t s) {
  switch (s) {
#define CUDASMITH_STATUS(NAME, NUMBER, TEXT) case NAME: return #NAME;
    CUDASMITH_CUBLAS_STATUSES(CUDASMITH_STATUS)
#undef CUDASMITH_STATUS
  }
  return "unknown";
}
inline const char* cublasGetStatusString(cublasStatus_t s) {
  switch (s) {
#define CUDASMITH_STATUS(NAME, NUMBER, TEXT) case NAME: return TEXT;
    CUDASMITH_CUBLAS_STATUSES(CUDASMITH_STATUS)
#undef CUDASMITH_STATUS
  }
  return "unknown error";
}
