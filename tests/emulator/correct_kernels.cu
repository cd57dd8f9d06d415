#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cfloat>
namespace cg = cooperative_groups;
#define CHECK_CUDA(x) TORCH_CHECK(x.is_cuda(), #x " must be a CUDA tensor")
#define LAUNCH_SCALE(N) scale_kernel<N><<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel())

struct Square { __device__ __forceinline__ float operator()(float v) const { return v * v; } };
struct Shift { float by; __device__ float operator()(float v) const { return v + by; } };

template <typename T, class Load, class Store>
__global__ void __launch_bounds__(256) map_kernel(const T* __restrict__ x, T* y, int n, Load load, Store store) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = store(load(__ldg(&x[i])));
}

template <int N>
__global__ void scale_kernel(const float* x, float* y, int64_t n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = N * x[i];
}

template <typename scalar_t>
__global__ void row_sum_block_per_row(const scalar_t* x, scalar_t* out, int cols) {
  __shared__ float partial[256];
  __shared__ __align__(16) float pair[2][1 << 1], unused;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += static_cast<float>(x[(int64_t)blockIdx.x * cols + c]);
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half_size = blockDim.x / 2; half_size > 0; half_size >>= 1) {
    if (threadIdx.x < half_size) partial[threadIdx.x] += partial[threadIdx.x + half_size];
    __syncthreads();
  }
  if (threadIdx.x == 0) pair[1][1] = partial[0];
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<scalar_t>(pair[1][1]);
}

__global__ void warp_scan(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  float v = i < n ? x[i] : 0.0f;
  for (int d = 1; d < 32; d <<= 1) {
    const float left = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += left;
  }
  if (i < n) y[i] = v;
}

__global__ void index_3d(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  const int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
  out[(z * h + y) * w + x] = x + 100 * y + 10000 * z;
}

extern __shared__ float file_scope_shared[];
__global__ void reverse_dynamic(const float* x, float* y, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  float* s = reinterpret_cast<float*>(raw);
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = file_scope_shared[n - 1 - i];
}

__constant__ float weights[3];
__device__ int visits;
__global__ void votes(int* out, unsigned* histogram, float* fsum) {
  const int t = threadIdx.x;
  atomicAdd(&histogram[t % 4], 1u);
  atomicAdd(fsum, weights[t % 3]);
  atomicMax(&visits, t);
  const unsigned odd = __ballot_sync(0xffffffff, t & 1);
  const int total = __syncthreads_count(t < 10), any = __syncthreads_or(t == 63), all = __syncthreads_and(t < 63);
  const unsigned same = __match_any_sync(0xffffffff, t / 8);
  const int sum = __reduce_add_sync(0xffffffff, -t), biggest = __reduce_max_sync(0xffffffff, t - 40);
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int tile_sum = cg::reduce(tile, t, cg::plus<int>());
  if (t == 33) {
    const int values[] = {(int)odd, total, any, all, (int)same, sum, biggest, tile_sum,
                          __all_sync(1u << 1, 1), __popc(odd), visits};
    for (int i = 0; i < 11; ++i) out[i] = values[i];
  }
}

__global__ void half_math(const __half* x, __half* y, const __nv_bfloat16* u, __nv_bfloat162* v, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = __float2half(__half2float(__hmul(x[i], x[i])) + 1.0f);
  if (i < n / 2) {
    const __nv_bfloat162 p = __halves2bfloat162(u[2 * i], u[2 * i + 1]);
    v[i] = __hfma2(p, p, __float2bfloat162_rn(1.0f));
  }
}

__global__ void vector_copy(const float4* x, float4* y, int n4) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 v = __ldcs(x + i);
  v.x = __expf(v.x), v.y = rsqrtf(fmaxf(v.y, 0.5f)), v.z = erff(v.z), v.w = __fdividef(v.w, 2.0f);
  __stcs(y + i, v);
}

__global__ void fill_double(double* y) { y[threadIdx.x] = max(1.5, (double)threadIdx.x) + min(3, (int)threadIdx.x); }

torch::Tensor map(torch::Tensor x, double by) {
  CHECK_CUDA(x);
  const at::cuda::CUDAGuard guard(x.device());
  auto y = torch::empty_like(x);
  const int n = x.numel();
  dim3 grid((n + 255) / 256);
  map_kernel<float, Square, Shift>
      <<<grid, dim3(256), 0,
         at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), n,
                                            Square{}, Shift{static_cast<float>(by)});
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
torch::Tensor scale(const torch::Tensor& x) {
  auto y = torch::empty_like(x);
  LAUNCH_SCALE(3);
  return y;
}
torch::Tensor row_sum(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "row_sum", ([&] {
    row_sum_block_per_row<scalar_t><<<x.size(0), 256>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.size(1));
  }));
  AT_CUDA_CHECK(cudaGetLastError());
  return y;
}
torch::Tensor scan(torch::Tensor x) {
  auto y = torch::empty_like(x);
  warp_scan<<<(x.numel() + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
torch::Tensor index3d() {
  auto y = torch::empty({6, 4, 6}, torch::TensorOptions().dtype(torch::kInt).device(torch::kCUDA));
  index_3d<<<dim3(2, 2, 3), dim3(3, 2, 2)>>>(y.data_ptr<int>());
  return y;
}
torch::Tensor reverse(torch::Tensor x, bool opt_in) {
  auto y = torch::empty_like(x);
  const int bytes = x.numel() * sizeof(float);
  if (opt_in) C10_CUDA_CHECK(cudaFuncSetAttribute(reverse_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  reverse_dynamic<<<1, 128, bytes>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> vote() {
  auto options = torch::TensorOptions().device(torch::kCUDA);
  auto out = torch::empty({11}, options.dtype(torch::kInt)), h = torch::zeros({4}, options.dtype(torch::kInt));
  auto f = torch::zeros({1}, options);
  const float host[3] = {1.0f, 2.0f, 4.0f};
  cudaMemcpyToSymbol(weights, host, sizeof(host));
  votes<<<1, 64>>>(out.data_ptr<int>(), reinterpret_cast<unsigned*>(h.data_ptr<int>()), f.data_ptr<float>());
  return {out, h, f};
}
std::vector<torch::Tensor> halves(torch::Tensor x, torch::Tensor u) {
  auto y = torch::empty_like(x), v = torch::empty_like(u);
  half_math<<<1, 64>>>(reinterpret_cast<const __half*>(x.data_ptr<at::Half>()), reinterpret_cast<__half*>(y.data_ptr<at::Half>()),
      reinterpret_cast<const __nv_bfloat16*>(u.data_ptr<at::BFloat16>()),
      reinterpret_cast<__nv_bfloat162*>(v.data_ptr<at::BFloat16>()), x.numel());
  return {y, v};
}
torch::Tensor vectors(torch::Tensor x) {
  auto y = torch::empty_like(x);
  vector_copy<<<1, 64>>>(reinterpret_cast<const float4*>(x.data_ptr<float>()), reinterpret_cast<float4*>(y.data_ptr<float>()), x.numel() / 4);
  return y;
}
torch::Tensor doubles() {
  auto y = torch::empty({8}, torch::dtype(torch::kDouble).device(torch::kCUDA));
  fill_double<<<1, 8>>>(y.data_ptr<double>());
  return y;
}
std::vector<int64_t> echo(at::IntArrayRef sizes, std::optional<torch::Tensor> t, const std::string& s, int64_t n, bool flag) {
  TORCH_CHECK(n >= 0, "n must not be negative, got ", n);
  return {sizes.size() ? sizes[0] : -1, t.has_value(), (int64_t)s.size(), n, flag};
}
int64_t multiprocessors() { return at::cuda::getCurrentDeviceProperties()->multiProcessorCount; }
torch::Tensor launch(int64_t gx, int64_t gy, int64_t bx, int64_t by, bool check) {
  auto y = torch::zeros({8}, torch::dtype(torch::kDouble).device(torch::kCUDA));
  scale_kernel<1><<<dim3(gx, gy), dim3(bx, by)>>>(nullptr, nullptr, 0);
  if (check) C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.doc() = "kernels that are correct";
  m.def("map", &map, "squares and shifts", py::arg("x"), py::arg("by") = 1.0);
  m.def("scale", &scale);
  m.def("row_sum", &row_sum, "row sums");
  m.def("scan", &scan);
  m.def("index3d", &index3d);
  m.def("reverse", &reverse);
  m.def("vote", &vote);
  m.def("halves", &halves);
  m.def("vectors", &vectors);
  m.def("doubles", &doubles);
  m.def("echo", &echo);
  m.def("multiprocessors", &multiprocessors);
  m.def("launch", &launch);
  m.def("twice", [](double x) { return 2 * x; });
}
