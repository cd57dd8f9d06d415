// Accesses beside memory. A function runs one kernel; "bug: function code" stands on the line that must be named.
#include <torch/extension.h>
static auto f32 = [](int64_t n) { return torch::ones({n}, torch::dtype(torch::kFloat32).device(torch::kCUDA)); };
static float* p(const torch::Tensor& t) { return t.data_ptr<float>(); }

__global__ void k_read_last(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + 1];  // bug: read_last EM101
}
void read_last() { auto x = f32(100), y = f32(100); k_read_last<<<2, 64>>>(p(x), p(y), 100); }

__global__ void k_write_last(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = 1.0f;  // bug: write_last EM101
}
void write_last() { auto y = f32(100); k_write_last<<<2, 64>>>(p(y), 100); }

__global__ void k_no_guard(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];  // bug: no_guard EM101
  y[i] = v;
}
void no_guard() { auto x = f32(100), y = f32(128); k_no_guard<<<2, 64>>>(p(x), p(y)); }

__global__ void k_before_start(const float* x, float* y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = x[i] -
      x[i - 1];  // bug: before_start EM101
}
void before_start() { auto x = f32(50), y = f32(50); k_before_start<<<1, 64>>>(p(x), p(y), 50); }

__global__ void k_stencil(const float* x, float* y, int h, int w) {
  int c = threadIdx.x, r = threadIdx.y;
  if (r >= h || c >= w) return;
  float s = 0;
  for (int d = 0; d < 2; ++d)
    s += x[(r + d) * w + c];  // bug: stencil EM101
  y[r * w + c] = s;
}
void stencil() { auto x = f32(48), y = f32(48); k_stencil<<<1, dim3(8, 8)>>>(p(x), p(y), 6, 8); }

__global__ void k_float4_tail(const float4* x, float4* y, int n) {
  int i = threadIdx.x;
  if (i * 4 < n) {
    float4 v = x[i];  // bug: float4_tail EM101
    v.x += 1;
    y[i] = v;
  }
}
void float4_tail() {
  auto x = f32(62), y = f32(64);
  k_float4_tail<<<1, 32>>>(reinterpret_cast<float4*>(p(x)), reinterpret_cast<float4*>(p(y)), 62);
}

__global__ void k_float4_write_tail(const float* x, float* y, int n) {
  int i = threadIdx.x * 4;
  if (i < n)
    *reinterpret_cast<float4*>(y + i) = make_float4(x[0], 1, 2, 3);  // bug: float4_write_tail EM101
}
void float4_write_tail() { auto x = f32(64), y = f32(61); k_float4_write_tail<<<1, 32>>>(p(x), p(y), 61); }

__global__ void k_misaligned(const float* x, float* y, int n4) {
  int i = threadIdx.x;
  if (i >= n4) return;
  float4 v = reinterpret_cast<const float4*>(x)[i];  // bug: misaligned EM106
  y[i] = v.x + v.w;
}
void misaligned() { auto x = f32(65), y = f32(16); k_misaligned<<<1, 32>>>(p(x) + 1, p(y), 16); }

__global__ void k_misaligned_store(float* y) {
  reinterpret_cast<float2*>(y + 1)[threadIdx.x] = make_float2(1, 2);  // bug: misaligned_store EM106
}
void misaligned_store() { auto y = f32(65); k_misaligned_store<<<1, 8>>>(p(y)); }

__global__ void k_misaligned_by_eight(const double* x, double* y) {
  double2 v = *reinterpret_cast<const double2*>(x + 1);  // bug: misaligned_by_eight EM106
  y[0] = v.x + v.y;
}
void misaligned_by_eight() {
  auto x = torch::ones({4}, torch::dtype(torch::kFloat64)), y = torch::ones({4}, torch::dtype(torch::kFloat64));
  k_misaligned_by_eight<<<1, 1>>>(x.data_ptr<double>(), y.data_ptr<double>());
}

__global__ void k_shared_past(float* y) {
  __shared__ float s[64];
  s[threadIdx.x + 1] = 1.0f;  // bug: shared_past EM101
  __syncthreads();
  y[threadIdx.x] = s[63];
}
void shared_past() { auto y = f32(64); k_shared_past<<<1, 64>>>(p(y)); }

__global__ void k_shared_read_past(float* y) {
  __shared__ float halo[34];
  halo[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 2) halo[32 + threadIdx.x] = 0;
  __syncthreads();
  y[threadIdx.x] = halo[threadIdx.x + 3];  // bug: shared_read_past EM101
}
void shared_read_past() { auto y = f32(32); k_shared_read_past<<<1, 32>>>(p(y)); }

__global__ void k_tile_rows(const float* x, float* y) {
  __shared__ float tile[8][9];
  int r = threadIdx.x / 8, c = threadIdx.x % 8;
  tile[r + 1][c] = x[threadIdx.x];  // bug: tile_rows EM101
  __syncthreads();
  y[threadIdx.x] = tile[1][c];
}
void tile_rows() { auto x = f32(64), y = f32(64); k_tile_rows<<<1, 64>>>(p(x), p(y)); }

__global__ void k_dynamic_past(float* y, int n) {
  extern __shared__ float buffer[];
  buffer[threadIdx.x] = threadIdx.x;  // bug: dynamic_past EM101
  __syncthreads();
  y[threadIdx.x] = buffer[n - 1 - threadIdx.x];
}
void dynamic_past() { auto y = f32(64); k_dynamic_past<<<1, 64, 60 * sizeof(float)>>>(p(y), 64); }

__global__ void k_null(float* y) {
  y[threadIdx.x] = 1.0f;  // bug: null EM107
}
void null() { k_null<<<1, 8>>>(nullptr); }

__global__ void k_null_read(const float* bias, float* y) {
  y[threadIdx.x] += bias[threadIdx.x];  // bug: null_read EM107
}
void null_read() { auto y = f32(8), bias = f32(0); k_null_read<<<1, 8>>>(p(bias), p(y)); }

__global__ void k_freed(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x];  // bug: freed EM108
}
void freed() {
  auto x = torch::ones({8, 8}), y = f32(64);
  const float* gone = p(x.t().contiguous());
  k_freed<<<1, 64>>>(gone, p(y));
}

__global__ void k_freed_malloc(float* x) {
  x[threadIdx.x] = 1.0f;  // bug: freed_malloc EM108
}
void freed_malloc() {
  float* x;
  cudaMalloc(&x, 256);
  cudaFree(x);
  k_freed_malloc<<<1, 64>>>(x);
}

__global__ void k_malloc_past(float* x) {
  x[threadIdx.x] = 1.0f;  // bug: malloc_past EM101
}
void malloc_past() {
  float* x;
  cudaMalloc(&x, 100);
  k_malloc_past<<<1, 32>>>(x);
  cudaFree(x);
}

__device__ float fetch(const float* x, int i) {
  return __ldg(x + i);  // bug: through_function EM101
}
__global__ void k_through_function(const float* x, float* y) { y[threadIdx.x] = fetch(x, threadIdx.x * 2); }
void through_function() { auto x = f32(60), y = f32(32); k_through_function<<<1, 32>>>(p(x), p(y)); }

__global__ void k_atomic_past(int* bins, const int* v) {
  atomicAdd(&bins[v[threadIdx.x]], 1);  // bug: atomic_past EM101
}
void atomic_past() {
  auto bins = torch::zeros({4}, torch::dtype(torch::kInt32)), v = torch::full({8}, 4, torch::dtype(torch::kInt32));
  k_atomic_past<<<1, 8>>>(bins.data_ptr<int>(), v.data_ptr<int>());
}

__global__ void k_local_array(float* y, int n) {
  float acc[4] = {0, 0, 0, 0};
  for (int i = 0; i <= n; ++i)
    acc[i] += y[i];  // bug: local_array EM105
  y[threadIdx.x] = acc[threadIdx.x % 4];
}
void local_array() { auto y = f32(32); k_local_array<<<1, 1>>>(p(y), 4); }

__global__ void k_bytes(unsigned char* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n + 1) y[i] = 1;  // bug: bytes EM101
}
void bytes() { auto y = torch::zeros({33}, torch::dtype(torch::kUInt8)); k_bytes<<<2, 32>>>(y.data_ptr<uint8_t>(), 33); }

__global__ void k_half_past(const __half* x, __half* y) {
  y[threadIdx.x] = x[threadIdx.x];  // bug: half_past EM101
}
void half_past() {
  auto x = torch::ones({31}, torch::dtype(torch::kHalf)), y = torch::ones({32}, torch::dtype(torch::kHalf));
  k_half_past<<<1, 32>>>(reinterpret_cast<__half*>(x.data_ptr<at::Half>()), reinterpret_cast<__half*>(y.data_ptr<at::Half>()));
}

__global__ void k_divide(int* y, int d) {
  y[threadIdx.x] = y[threadIdx.x] % d;  // bug: divide EM103
}
void divide() { auto y = torch::ones({8}, torch::dtype(torch::kInt32)); k_divide<<<1, 8>>>(y.data_ptr<int>(), 0); }

void host_copy() {
  auto x = f32(16), y = f32(8);
  cudaMemcpy(p(y), p(x), 64, cudaMemcpyDeviceToDevice);  // bug: host_copy EM101
}

__global__ void k_narrow_thread_index(const unsigned char* x, unsigned char* y, int64_t n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 255 - x[i];
}
void narrow_thread_index(torch::Tensor x, torch::Tensor y) {
  k_narrow_thread_index<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<uint8_t>(), y.data_ptr<uint8_t>(), x.numel());
}
