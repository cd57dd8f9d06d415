// cuBLAS as extensions use it.
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>

static float* f(const torch::Tensor& t) { return t.data_ptr<float>(); }

// Of row-major tensors: y^T = b^T a^T.
torch::Tensor matmul(torch::Tensor a, torch::Tensor b, bool ta, bool tb, double alpha, double beta, torch::Tensor y) {
  int m = y.size(0), n = y.size(1), k = ta ? a.size(0) : a.size(1);
  cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();
  auto opa = ta ? CUBLAS_OP_T : CUBLAS_OP_N, opb = tb ? CUBLAS_OP_T : CUBLAS_OP_N;
  int lda = a.size(1), ldb = b.size(1);
  if (y.scalar_type() == torch::kDouble) {
    TORCH_CUDABLAS_CHECK(cublasDgemm(handle, opb, opa, n, m, k, &alpha, b.data_ptr<double>(), ldb, a.data_ptr<double>(), lda, &beta, y.data_ptr<double>(), n));
  } else if (y.scalar_type() == torch::kFloat && a.scalar_type() == torch::kFloat) {
    float al = alpha, be = beta;
    TORCH_CUDABLAS_CHECK(cublasSgemm(handle, opb, opa, n, m, k, &al, f(b), ldb, f(a), lda, &be, f(y), n));
  } else if (a.scalar_type() == torch::kHalf && y.scalar_type() == torch::kHalf) {
    __half al = __float2half(alpha), be = __float2half(beta);
    TORCH_CUDABLAS_CHECK(cublasHgemm(handle, opb, opa, n, m, k, &al, (const __half*)b.data_ptr(), ldb, (const __half*)a.data_ptr(), lda, &be, (__half*)y.data_ptr(), n));
  } else {
    float al = alpha, be = beta;
    auto type = [](torch::Tensor t) { return t.scalar_type() == torch::kHalf ? CUDA_R_16F : t.scalar_type() == torch::kBFloat16 ? CUDA_R_16BF : CUDA_R_32F; };
    TORCH_CUDABLAS_CHECK(cublasGemmEx(handle, opb, opa, n, m, k, &al, b.data_ptr(), type(b), ldb, a.data_ptr(), type(a), lda, &be, y.data_ptr(), type(y), n,
                                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
  }
  return y;
}
void batched(torch::Tensor a, torch::Tensor b, torch::Tensor y, int64_t how) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetStream(handle, at::cuda::getCurrentCUDAStream());
  int batches = a.size(0), m = a.size(1), k = a.size(2), n = b.size(2);
  float one = 1, zero = 0;
  if (how == 0)
    cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, f(b), n, (long long)k * n, f(a), k, (long long)m * k, &zero, f(y), n, (long long)m * n, batches);
  if (how == 1)
    cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, f(b), CUDA_R_32F, n, (long long)k * n, f(a), CUDA_R_32F, k, (long long)m * k, &zero,
                               f(y), CUDA_R_32F, n, (long long)m * n, batches, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT);
  if (how == 2) {
    std::vector<const float*> as, bs;
    std::vector<float*> ys;
    for (int i = 0; i < batches; ++i) as.push_back(f(a) + i * m * k), bs.push_back(f(b) + i * k * n), ys.push_back(f(y) + i * m * n);
    void* pointers;
    cudaMalloc(&pointers, batches * 24);
    cudaMemcpy(pointers, as.data(), batches * 8, cudaMemcpyHostToDevice);
    cudaMemcpy((char*)pointers + batches * 8, bs.data(), batches * 8, cudaMemcpyHostToDevice);
    cudaMemcpy((char*)pointers + batches * 16, ys.data(), batches * 8, cudaMemcpyHostToDevice);
    auto p = (const float**)pointers;
    cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, p + batches, n, p, k, &zero, (float**)p + 2 * batches, n, batches);
    cudaFree(pointers);
  }
  cublasDestroy(handle);
}
std::vector<double> vectors(torch::Tensor a, torch::Tensor x, torch::Tensor y, torch::Tensor z) {
  auto handle = at::cuda::getCurrentCUDABlasHandle();
  int m = a.size(0), n = a.size(1), place;
  float alpha = 2, beta = -1, dot, norm, sum;
  cublasSgemv(handle, CUBLAS_OP_T, n, m, &alpha, f(a), n, f(x), 1, &beta, f(y), 1);
  cublasSgemv(handle, CUBLAS_OP_N, n, m, &alpha, f(a), n, f(y), 1, &beta, f(z), -1);
  cublasSdot(handle, n, f(x), 1, f(x), 1, &dot);
  cublasSnrm2(handle, n, f(x), 1, &norm);
  cublasSasum(handle, n, f(x), 1, &sum);
  cublasIsamax(handle, n, f(x), 1, &place);
  cublasSaxpy(handle, n / 2, &alpha, f(x), 2, f(x) + 1, 2);
  cublasSscal(handle, n, &beta, f(x), 1);
  return {dot, norm, sum, (double)place};
}
void transpose(torch::Tensor a, torch::Tensor y) {
  float one = 1, zero = 0;
  cublasSgeam(at::cuda::getCurrentCUDABlasHandle(), CUBLAS_OP_T, CUBLAS_OP_N, a.size(0), a.size(1), &one, f(a), a.size(1), &zero, nullptr, a.size(0), f(y), a.size(0));
}
std::vector<int64_t> statuses(torch::Tensor x) {
  auto handle = at::cuda::getCurrentCUDABlasHandle();
  float one = 1, zero = 0;
  auto N = CUBLAS_OP_N;
  return {
      cublasSgemm(nullptr, N, N, 2, 2, 2, &one, f(x), 2, f(x), 2, &zero, f(x), 2),
      cublasSgemm(handle, N, N, 4, 2, 2, &one, f(x), 3, f(x), 2, &zero, f(x), 4),
      cublasSgemm(handle, CUBLAS_OP_T, N, 4, 2, 2, &one, f(x), 2, f(x), 1, &zero, f(x), 4),
      cublasSgemm(handle, N, N, -1, 2, 2, &one, f(x), 2, f(x), 2, &zero, f(x), 2),
      cublasSgemm(handle, N, N, 0, 2, 2, &one, nullptr, 1, nullptr, 2, &zero, nullptr, 1),
      cublasGemmEx(handle, N, N, 2, 2, 2, &one, f(x), CUDA_R_32F, 2, f(x), CUDA_R_16F, 2, &zero, f(x), CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      cublasSgemv(handle, N, 2, 2, &one, f(x), 2, f(x), 0, &zero, f(x), 1)};
}
// The tensor is smaller than the matrix that the call names.
void too_small(torch::Tensor x, torch::Tensor y) {
  float one = 1, zero = 0;
  cublasSgemm(at::cuda::getCurrentCUDABlasHandle(), CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, f(x), 64, f(x), 64, &zero, f(y), 64);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("matmul", &matmul);
  m.def("batched", &batched);
  m.def("vectors", &vectors);
  m.def("transpose", &transpose);
  m.def("statuses", &statuses);
  m.def("too_small", &too_small);
}
