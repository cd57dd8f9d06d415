// Values that nobody wrote, outputs that nobody writes, indices that overflow, launches that a GPU refuses.
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
static auto f32 = [](int64_t n) { return torch::ones({n}, torch::dtype(torch::kFloat32).device(torch::kCUDA)); };
static auto unset = [](int64_t n, torch::ScalarType t = torch::kFloat32) { return torch::empty({n}, torch::dtype(t).device(torch::kCUDA)); };
static float* p(const torch::Tensor& t) { return t.data_ptr<float>(); }

__global__ void k_shared_unset(float* y) {
  __shared__ float s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];  // bug: shared_unset EM401
}
void shared_unset() { auto y = f32(64); k_shared_unset<<<1, 64>>>(p(y)); }

__global__ void k_shared_int_unset(int* y) {
  __shared__ int bins[32];
  atomicAdd(&bins[threadIdx.x % 32], 1);  // bug: shared_int_unset EM401
  __syncthreads();
  y[threadIdx.x % 32] = 1;
}
void shared_int_unset() { auto y = torch::zeros({32}, torch::dtype(torch::kInt32)); k_shared_int_unset<<<1, 32>>>(y.data_ptr<int>()); }

__global__ void k_shared_second_block(float* y) {
  __shared__ float s;
  if (blockIdx.x == 0 && threadIdx.x == 0) s = 3;
  __syncthreads();
  y[blockIdx.x * 32 + threadIdx.x] = s;  // bug: shared_second_block EM401
}
void shared_second_block() { auto y = f32(64); k_shared_second_block<<<2, 32>>>(p(y)); }

__global__ void k_dynamic_unset(float* y) {
  extern __shared__ float buffer[];
  buffer[threadIdx.x * 2] = 1;
  __syncthreads();
  y[threadIdx.x] = buffer[threadIdx.x + 1];  // bug: dynamic_unset EM401
}
void dynamic_unset() { auto y = f32(32); k_dynamic_unset<<<1, 32, 256>>>(p(y)); }

__global__ void k_atomic_into_empty(float* y) {
  atomicAdd(y, 1.0f);  // bug: atomic_into_empty EM402
}
void atomic_into_empty() { auto y = unset(1); k_atomic_into_empty<<<1, 32>>>(p(y)); }

__global__ void k_accumulate(const float* x, float* y) {
  y[threadIdx.x] += x[threadIdx.x];  // bug: accumulate EM402
}
void accumulate() { auto x = f32(32); auto y = unset(32); k_accumulate<<<1, 32>>>(p(x), p(y)); }

__global__ void k_int_input_unset(const int* x, int* y) {
  y[threadIdx.x] = x[threadIdx.x] + 1;  // bug: int_input_unset EM402
}
void int_input_unset() {
  auto x = unset(32, torch::kInt32), y = unset(32, torch::kInt32);
  k_int_input_unset<<<1, 32>>>(x.data_ptr<int>(), y.data_ptr<int>());
}

__global__ void k_malloc_unset(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x];  // bug: malloc_unset EM402
}
void malloc_unset() {
  float* x;
  auto y = f32(32);
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 64);
  k_malloc_unset<<<1, 32>>>(x, p(y));
  cudaFree(x);
}

__global__ void k_workspace(float* w, int n) { if (threadIdx.x < n) w[threadIdx.x] = 1; }
__global__ void k_use_workspace(const float* w, float* y) {
  y[threadIdx.x] = w[threadIdx.x];  // bug: workspace EM402
}
void workspace() {
  auto w = torch::empty_like(f32(32)), y = unset(32);
  k_workspace<<<1, 32>>>(p(w), 31);
  k_use_workspace<<<1, 32>>>(p(w), p(y));
}

__global__ void k_vector_unset(const float4* x, float* y) {
  float4 v = x[threadIdx.x];  // bug: vector_unset EM402
  y[threadIdx.x] = v.x + v.y + v.z + v.w;
}
void vector_unset() {
  auto x = unset(64), y = unset(16);
  k_workspace<<<1, 64>>>(p(x), 62);
  k_vector_unset<<<1, 16>>>(reinterpret_cast<float4*>(p(x)), p(y));
}

__global__ void k_fill(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i;
}
torch::Tensor last_unwritten() {
  auto y = torch::empty({100});  // bug: last_unwritten EM403
  k_fill<<<2, 64>>>(p(y), 99);
  return y;
}
torch::Tensor grid_too_small() {
  auto y = torch::empty({100});  // bug: grid_too_small EM403
  k_fill<<<100 / 64, 64>>>(p(y), 100);
  return y;
}
__global__ void k_wrong_index(int* y) {
  int i = blockIdx.x * blockDim.x + blockIdx.y;
  y[i] = i;
}
torch::Tensor wrong_index() {
  auto y = torch::empty({3, 4}, torch::dtype(torch::kInt32));  // bug: wrong_index EM403
  k_wrong_index<<<dim3(3, 3), 4>>>(y.data_ptr<int>());
  return y;
}
__global__ void k_nothing(float*) {}
torch::Tensor empty_kernel(){
  auto x = f32(10);
  torch::Tensor y = torch::empty_like(x);  // bug: empty_kernel EM403
  k_nothing<<<1, 32>>>(p(y));
  return y;
}
std::vector<torch::Tensor> second_output() {
  auto a = unset(8);
  auto b = torch::empty({8});  // bug: second_output EM403
  k_fill<<<1, 8>>>(p(a), 8);
  return {a, b};
}

__global__ void k_overflow(const float* x, float* y, int rows, int stride) {
  int r = threadIdx.x;
  int64_t i = r * stride;  // bug: overflow EM501
  if (r < rows) y[r] = x[i & 7];
}
void overflow() { auto x = f32(8), y = f32(8); k_overflow<<<1, 8>>>(p(x), p(y), 8, 1 << 29); }

__global__ void k_overflow_add(int* y, int offset) {
  int i = threadIdx.x + 1;
  y[threadIdx.x] = (i + offset) & 1;  // bug: overflow_add EM501
}
void overflow_add() {
  auto y = torch::zeros({8}, torch::dtype(torch::kInt32));
  k_overflow_add<<<1, 8>>>(y.data_ptr<int>(), 2147483640);
}

void block_too_large() {
  auto y = f32(2048);
  k_fill<<<1, 2048>>>(p(y), 2048);
  C10_CUDA_KERNEL_LAUNCH_CHECK();  // bug: block_too_large EM301 -1
}
void grid_y_too_large() {
  auto y = f32(8);
  k_fill<<<dim3(1, 70000), 32>>>(p(y), 8);
  C10_CUDA_KERNEL_LAUNCH_CHECK();  // bug: grid_y_too_large EM301 -1
}
void empty_grid() {
  auto y = f32(8);
  k_fill<<<0, 32>>>(p(y), 8);  // bug: empty_grid EM301
}
void shared_over_limit() {
  auto y = f32(8);
  k_fill<<<1, 32, 50000>>>(p(y), 8);  // bug: shared_over_limit EM301
}
void block_z_too_large() {
  auto y = f32(8);
  k_fill<<<1, dim3(1, 1, 65)>>>(p(y), 8);  // bug: block_z_too_large EM301
}

__global__ void k_local_unset(const float* x, float* y) {
  float sum;
  for (int i = 0; i < 4; ++i) sum += x[i];  // warned: local_unset EM404
  y[threadIdx.x] = sum;
}
void local_unset() { auto x = f32(4), y = f32(32); k_local_unset<<<1, 32>>>(p(x), p(y)); }

__global__ void k_local_array_unset(const float* x, float* y) {
  float kept[4];
  if (x[0] > 0) kept[0] = x[0];
  y[threadIdx.x] = kept[threadIdx.x % 4];
}
torch::Tensor local_array_unset() { auto x = f32(4), y = f32(32); k_local_array_unset<<<1, 32>>>(p(x), p(y)); return y; }
