#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cassert>
#include <cstdio>

// Constants, globals, managed memory.
__constant__ float table[2][4];
__constant__ struct { int a; float b; } settings;
__device__ int counter = 5;
__device__ float grid_values[8];
__managed__ int managed_total;
__global__ void read_symbols(float* out) {
  const int t = threadIdx.x;
  out[t] = table[t / 4][t % 4] * settings.b + settings.a;
  grid_values[t] = out[t];
  atomicAdd(&counter, 1);
  atomicAdd(&managed_total, t);
}

// Shared memory of many shapes.
template <typename T, int N>
struct Tile { T values[N][N + 1]; };
template <typename T, int N>
__global__ void __launch_bounds__(64, 2) shapes(const T* x, T* y) {
  __shared__ Tile<T, N> tile;
  static __shared__ int flags[2][3][4];
  __shared__ union { float f; unsigned u; } both;
  __shared__ volatile int last;
  __shared__ alignas(16) unsigned char bytes[16 * sizeof(T)];
  extern __shared__ __align__(8) unsigned char raw[];
  T* dynamic = reinterpret_cast<T*>(raw);
  const int t = threadIdx.x;
#pragma unroll 4
  for (int i = t; i < N * N; i += blockDim.x) tile.values[i % N][i / N] = x[i];
  if (t < 24) flags[t / 12][t / 4 % 3][t % 4] = t;
  if (t == 0) both.f = 1.0f, last = 0;
  reinterpret_cast<T*>(bytes)[t % 16] = T(t % 16);
  __syncthreads();
  if (t == 63) last = flags[1][2][3] + (both.u == 0x3f800000u);
  __builtin_assume(t >= 0);
  for (int i = t; i < N * N; i += blockDim.x) dynamic[i] = tile.values[i / N][i % N];
  __syncthreads();
  for (int i = t; i < N * N; i += blockDim.x) y[i] = dynamic[i] + T(last) * reinterpret_cast<T*>(bytes)[i % 16];
}

__device__ __noinline__ long long ticks() { return clock64(); }
__global__ void says(int n, int* out) {
  const long long before = ticks();
  const clock_t c = clock();
  assert(threadIdx.x < n);
  if (threadIdx.x == 1) printf("thread %d of %s says %.2f\n", threadIdx.x, "block", 1.5);
  out[threadIdx.x] = clock64() >= before && clock() >= c;
}
__global__ void traps(int at) { if (threadIdx.x == at) __trap(); }

// Atomics of every type.
__global__ void atomics(int* i, unsigned* u, unsigned long long* l, long long* s, float* f, double* d, __half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2, float4* f4) {
  const unsigned t = threadIdx.x;
  __shared__ float shared_sum;
  __shared__ unsigned shared_max;
  if (t == 0) shared_sum = 0, shared_max = 0;
  __syncthreads();
  atomicAdd(&shared_sum, 0.5f), atomicMax(&shared_max, t ^ 21), atomicAdd_block(&i[0], 2), atomicSub(&i[1], 3), atomicMin(&i[2], -(int)t), atomicMax(&i[3], (int)t);
  atomicAnd(&i[4], ~(1 << t)), atomicOr(&i[5], 1 << t), atomicXor(&i[6], t), atomicExch(&i[7], 9);
  atomicInc(&u[0], 5u), atomicDec(&u[1], 5u), atomicCAS(&u[2], t, t + 1), atomicAdd_system(&u[3], t);
  atomicAdd(&l[0], 1ull << 40), atomicMax(&l[1], (unsigned long long)t << 33), atomicCAS(&l[2], 7ull, 8ull), atomicExch(&l[3], 4ull), atomicOr(&l[4], 1ull << (t + 20));
  atomicMin(&s[0], -((long long)t << 33)), atomicMax(&s[1], (long long)t), atomicXor(&s[2], (long long)t << 40);
  atomicAdd(&f[0], 0.25f), atomicExch(&f[1], 2.0f), atomicAdd(&d[0], 0.125), atomicAdd(h, __float2half(1.0f)), atomicAdd(h2, __floats2half2_rn(1, 2));
  atomicAdd(b, __float2bfloat16(0.5f)), atomicAdd(b2, __floats2bfloat162_rn(1, -1));
  atomicAdd(f4, make_float4(1, 2, 3, 4));
  unsigned short* half_word = reinterpret_cast<unsigned short*>(&u[4]);
  atomicCAS(half_word, (unsigned short)t, (unsigned short)(t + 1));
  // An atomic that CUDA lacks, as everyone writes it.
  unsigned old = __float_as_uint(f[2]), assumed;
  do {
    assumed = old;
    old = atomicCAS(reinterpret_cast<unsigned*>(&f[2]), assumed, __float_as_uint(fmaxf(__uint_as_float(assumed), (float)(t * 7 % 32))));
  } while (assumed != old);
  __syncthreads();
  if (t == 0) f[3] = shared_sum, u[5] = shared_max;
}

template <typename T>
__global__ void accessed(const torch::PackedTensorAccessor32<T, 2, torch::RestrictPtrTraits> x, torch::PackedTensorAccessor64<T, 1> y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= x.size(0)) return;
  const auto row = x[i];
  T sum = 0;
  for (int k = 0; k < x.size(1); ++k) sum += row[k] * T(x.stride(1));
  y[i] = sum;
}

#define LAUNCH(KERNEL, N, ...) \
  do { \
    const int threads = 128; \
    KERNEL<<<((N) + threads - 1) / threads, threads, 0, stream>>>(__VA_ARGS__); \
    C10_CUDA_KERNEL_LAUNCH_CHECK(); \
  } while (0)

torch::Tensor symbols(double by) {
  auto out = torch::empty({8}, torch::device(torch::kCUDA));
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const struct { int a; float b; } s{10, static_cast<float>(by)};
  C10_CUDA_CHECK(cudaMemcpyToSymbol(table, values, sizeof values));
  C10_CUDA_CHECK(cudaMemcpyToSymbol(settings, &s, sizeof s));
  const int zero = 0;
  C10_CUDA_CHECK(cudaMemcpyToSymbol(counter, &zero, sizeof zero, 0, cudaMemcpyHostToDevice));
  managed_total = 0;
  read_symbols<<<1, 8>>>(out.data_ptr<float>());
  int visits;
  float half[4];
  void* address;
  C10_CUDA_CHECK(cudaMemcpyFromSymbol(&visits, counter, sizeof visits));
  C10_CUDA_CHECK(cudaMemcpyFromSymbol(half, grid_values, sizeof half, 4 * sizeof(float)));
  C10_CUDA_CHECK(cudaGetSymbolAddress(&address, grid_values));
  TORCH_CHECK(visits == 8 && managed_total == 28 && half[3] == 8 * s.b + 10, visits, " ", managed_total);
  TORCH_CHECK(static_cast<float*>(address)[0] == out[0].item<float>());
  TORCH_CHECK(cudaMemcpyToSymbol(table, values, 36) == cudaErrorInvalidValue);
  return out;
}
torch::Tensor shared_shapes(torch::Tensor x) {
  auto y = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "shapes", [&] {
    shapes<scalar_t, 9><<<1, 64, 81 * sizeof(scalar_t)>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>());
  });
  return y;
}
void say(int n, torch::Tensor out) { says<<<1, 8>>>(n, out.data_ptr<int>()); }
void trap(int at) { traps<<<1, 8>>>(at); }
void atomic_run(std::vector<torch::Tensor> t) {
  atomics<<<1, 32>>>(t[0].data_ptr<int>(), (unsigned*)t[1].data_ptr(), (unsigned long long*)t[2].data_ptr(), (long long*)t[3].data_ptr(), t[4].data_ptr<float>(), t[5].data_ptr<double>(),
                     (__half*)t[6].data_ptr(), (__half2*)t[7].data_ptr(), (__nv_bfloat16*)t[8].data_ptr(), (__nv_bfloat162*)t[9].data_ptr(), (float4*)t[10].data_ptr());
}
torch::Tensor accessors(torch::Tensor x) {
  auto y = torch::empty({x.size(0)}, x.options());
  const at::cuda::OptionalCUDAGuard guard(at::device_of(x));
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_ALL_TYPES(x.scalar_type(), "accessors", ([&] {
    LAUNCH((accessed<scalar_t>), x.size(0), x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), y.packed_accessor64<scalar_t, 1>());
  }));
  return y;
}

__global__ void add_one(float* x, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
// A whole host program: memory, streams, events, launches by pointer.
std::vector<double> program(int n, int beyond) {
  std::vector<float> host(n, 1.0f);
  float *a, *b;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  C10_CUDA_CHECK(cudaStreamCreate(&stream));
  C10_CUDA_CHECK(cudaEventCreate(&start));
  C10_CUDA_CHECK(cudaEventCreate(&stop));
  C10_CUDA_CHECK(cudaMalloc(&a, n * sizeof(float)));
  C10_CUDA_CHECK(cudaMallocAsync((void**)&b, n * sizeof(float), stream));
  C10_CUDA_CHECK(cudaMemcpyAsync(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
  C10_CUDA_CHECK(cudaMemsetAsync(b, 0, n * sizeof(float), stream));
  C10_CUDA_CHECK(cudaEventRecord(start, stream));
  add_one<<<(n + 63) / 64 + (beyond > 0), 64, 0, stream>>>(a, n + beyond, 2.0f);
  int count = n;
  float by = 3.0f;
  void* args[] = {&a, &count, &by};
  C10_CUDA_CHECK(cudaLaunchKernel((const void*)add_one, dim3((n + 63) / 64), dim3(64), args, 0, stream));
  C10_CUDA_CHECK(cudaLaunchCooperativeKernel((void*)&add_one, dim3(1), dim3(64), args, 0, stream));
  C10_CUDA_CHECK(cudaMemcpy(b + 1, a, (n - 1) * sizeof(float), cudaMemcpyDeviceToDevice));
  C10_CUDA_CHECK(cudaEventRecord(stop, stream));
  C10_CUDA_CHECK(cudaEventSynchronize(stop));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  float ms = -1;
  C10_CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  C10_CUDA_CHECK(cudaMemcpy(host.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost));
  const cudaError_t too_much = cudaMemcpy(host.data(), b + 1, n * sizeof(float), cudaMemcpyDeviceToHost);
  C10_CUDA_CHECK(cudaFree(a));
  C10_CUDA_CHECK(cudaFreeAsync(b, stream));
  const cudaError_t twice = cudaFree(b);
  C10_CUDA_CHECK(cudaEventDestroy(start));
  C10_CUDA_CHECK(cudaEventDestroy(stop));
  C10_CUDA_CHECK(cudaStreamDestroy(stream));
  return {host[0], host[1], host[n - 1], (double)(ms >= 0), (double)too_much, (double)twice};
}
std::vector<int64_t> device_numbers() {
  cudaDeviceProp p;
  C10_CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
  int shared = 0, blocks = 0, block = 0, grid = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  C10_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 256, 20000));
  C10_CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one, 0, 0));
  const bool raised = cudaFuncSetAttribute(add_one, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024) == cudaSuccess;
  return {p.major * 10 + p.minor, p.multiProcessorCount, shared, blocks, grid * 10000 + block, raised, (int64_t)(p.totalGlobalMem >> 30)};
}
int64_t sms_of(torch::Tensor x, int other) {
  int sms = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, other ? other : x.get_device()));
  return sms;
}
std::string error_text(int e) { return std::string(cudaGetErrorName((cudaError_t)e)) + ": " + cudaGetErrorString((cudaError_t)e); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("symbols", &symbols);
  m.def("shapes", &shared_shapes);
  m.def("say", &say);
  m.def("trap", &trap);
  m.def("atomics", &atomic_run);
  m.def("accessors", &accessors);
  m.def("program", &program);
  m.def("device_numbers", &device_numbers);
  m.def("error_text", &error_text);
  m.def("sms_of", &sms_of);
}
