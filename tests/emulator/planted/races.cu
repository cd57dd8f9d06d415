// Accesses that nothing orders, and barriers and warp operations that not all threads reach.
#include <torch/extension.h>
static auto f32 = [](int64_t n) { return torch::arange(n, torch::dtype(torch::kFloat32).device(torch::kCUDA)); };
static auto i32 = [](int64_t n) { return torch::zeros({n}, torch::dtype(torch::kInt32).device(torch::kCUDA)); };
static float* p(const torch::Tensor& t) { return t.data_ptr<float>(); }

__global__ void k_reverse(const float* x, float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = s[63 - threadIdx.x];  // bug: reverse EM203 // bug: reverse EM401
}
void reverse() { auto x = f32(64), y = f32(64); k_reverse<<<1, 64>>>(p(x), p(y)); }

__global__ void k_reduce(const float* x, float* y) {
  __shared__ float s[128];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int n = 64; n > 0; n >>= 1)
    if (threadIdx.x < n) s[threadIdx.x] += s[threadIdx.x + n];  // bug: reduce EM203
  if (threadIdx.x == 0) y[0] = s[0];
}
void reduce() { auto x = f32(128), y = f32(1); k_reduce<<<1, 128>>>(p(x), p(y)); }

__global__ void k_last_warp(const float* x, float* y) {
  volatile __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) {
    s[threadIdx.x] += s[threadIdx.x + 32];
    s[threadIdx.x] += s[threadIdx.x + 16];  // bug: last_warp EM203
  }
  if (threadIdx.x == 0) y[0] = s[0];
}
void last_warp() { auto x = f32(64), y = f32(1); k_last_warp<<<1, 64>>>(p(x), p(y)); }

__global__ void k_reuse(const float* x, float* y, int rows) {
  __shared__ float total;
  for (int r = 0; r < rows; ++r) {
    if (threadIdx.x == 0) total = x[r];  // bug: reuse EM203
    __syncthreads();
    y[r * blockDim.x + threadIdx.x] = total;
  }
}
void reuse() { auto x = f32(3), y = f32(192); k_reuse<<<1, 64>>>(p(x), p(y), 3); }

__global__ void k_matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[4][4], tb[4][4];
  int r = threadIdx.y, q = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 4) {
    ta[r][q] = a[r * n + t + q];  // bug: matmul EM203
    tb[r][q] = b[(t + r) * n + q];  // bug: matmul EM203
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += ta[r][k] * tb[k][q];
  }
  c[r * n + q] = sum;
}
void matmul() { auto a = f32(64), b = f32(64), c = f32(64); k_matmul<<<1, dim3(4, 4)>>>(p(a), p(b), p(c), 8); }

__global__ void k_scan(const float* x, float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    float v = t >= d ? s[t - d] : 0;
    s[t] += v;  // bug: scan EM203
    __syncthreads();
  }
  y[t] = s[t];
}
void scan() { auto x = f32(64) + 1, y = f32(64); k_scan<<<1, 64>>>(p(x), p(y)); }

__global__ void k_warp_result(const float* x, float* y) {
  __shared__ float s[4];
  float v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v + 1;
  if (threadIdx.x == 127)
    for (int w = 0; w < 4; ++w)
      y[w] = s[w];  // bug: warp_result EM203 // bug: warp_result EM401
}
void warp_result() { auto x = f32(128), y = f32(4); k_warp_result<<<1, 128>>>(p(x), p(y)); }

__global__ void k_half_warp(float* y) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x + 1;
  __syncwarp(threadIdx.x < 16 ? 0xffffu : 0xffff0000u);
  y[threadIdx.x] = s[31 - threadIdx.x];  // bug: half_warp EM203 // bug: half_warp EM401
}
void half_warp() { auto y = f32(32); k_half_warp<<<1, 32>>>(p(y)); }

__global__ void k_count(int* y) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  n++;  // bug: count EM203
  __syncthreads();
  if (threadIdx.x == 0) y[0] = n;
}
void count() { auto y = i32(1); k_count<<<1, 64>>>(y.data_ptr<int>()); }

__global__ void k_zero_histogram(int* y) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  atomicAdd(&bins[7 - threadIdx.x % 8], 1);  // bug: zero_histogram EM203 // bug: zero_histogram EM401
  __syncthreads();
  if (threadIdx.x < 8) y[threadIdx.x] = bins[threadIdx.x];
}
void zero_histogram() { auto y = i32(8); k_zero_histogram<<<1, 64>>>(y.data_ptr<int>()); }

__global__ void k_read_counter(int* y) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  atomicAdd(&n, 1);
  y[threadIdx.x] = n;  // bug: read_counter EM203
}
void read_counter() { auto y = i32(64); k_read_counter<<<1, 64>>>(y.data_ptr<int>()); }

__global__ void k_half_buffer(const __half* x, __half* y) {
  __shared__ __half s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = s[threadIdx.x ^ 32];  // bug: half_buffer EM203 // bug: half_buffer EM401
}
void half_buffer() {
  auto x = f32(64).to(torch::kHalf), y = torch::zeros_like(x);
  k_half_buffer<<<1, 64>>>(reinterpret_cast<__half*>(x.data_ptr<at::Half>()), reinterpret_cast<__half*>(y.data_ptr<at::Half>()));
}

__global__ void k_sum(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[0] += x[i];  // bug: sum EM204
}
void sum() { auto x = f32(100), y = f32(1); k_sum<<<2, 64>>>(p(x), p(y), 100); }

__global__ void k_between_blocks(float* y) {
  if (threadIdx.x == 0) y[0] += 1;  // bug: between_blocks EM204
}
void between_blocks() { auto y = f32(1); k_between_blocks<<<4, 32>>>(p(y)); }

__global__ void k_in_place(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    x[i] = x[i] + x[i - 1];  // bug: in_place EM204
}
void in_place() { auto x = f32(128); k_in_place<<<2, 64>>>(p(x), 128); }

__global__ void k_in_place_ahead(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 64 < n) {
    float v = x[i + 64];
    x[i] = v + 1;  // bug: in_place_ahead EM204
  }
}
void in_place_ahead() { auto x = f32(192); k_in_place_ahead<<<3, 64>>>(p(x), 192); }

__global__ void k_scatter(const int* to, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[to[i]] = i;  // bug: scatter EM204
}
void scatter() { auto to = i32(64), y = f32(4); k_scatter<<<2, 32>>>(to.data_ptr<int>(), p(y)); }

__global__ void k_two_phases(float* y, float* z) {
  y[blockIdx.x * 32 + threadIdx.x] = blockIdx.x;
  __syncthreads();
  z[blockIdx.x * 32 + threadIdx.x] = y[(blockIdx.x + 1) % 2 * 32 + threadIdx.x];  // bug: two_phases EM204
}
void two_phases() { auto y = f32(64), z = f32(64); k_two_phases<<<2, 32>>>(p(y), p(z)); }

__global__ void k_no_fence(const float* x, float* partial, int* done, float* y) {
  partial[blockIdx.x] = x[blockIdx.x];
  if (atomicAdd(done, 1) == gridDim.x - 1)
    for (int i = 0; i < gridDim.x; ++i)
      y[0] += partial[i];  // bug: no_fence EM204
}
void no_fence() { auto x = f32(4), q = f32(4), y = f32(1); auto d = i32(1); k_no_fence<<<4, 1>>>(p(x), p(q), d.data_ptr<int>(), p(y)); }

__global__ void k_plain_and_atomic(int* y) {
  if (threadIdx.x == 0) y[0] = 5;
  atomicAdd(y, 1);  // bug: plain_and_atomic EM204
}
void plain_and_atomic() { auto y = i32(1); k_plain_and_atomic<<<1, 64>>>(y.data_ptr<int>()); }

__device__ int visits;
__global__ void k_variable(int* y) {
  visits += 1;  // bug: variable EM204
  y[0] = 1;
}
void variable() { auto y = i32(1); k_variable<<<1, 8>>>(y.data_ptr<int>()); }

__global__ void k_early_return(float* y, int n) {
  if (threadIdx.x >= n) return;
  y[threadIdx.x] = 1;
  __syncthreads();  // bug: early_return EM201
  y[threadIdx.x] += y[0];
}
void early_return() { auto y = f32(64); k_early_return<<<1, 64>>>(p(y), 40); }

__global__ void k_branch_barrier(float* y) {
  if (threadIdx.x % 2) {
    y[threadIdx.x] = 1;
    __syncthreads();  // bug: branch_barrier EM201
  } else {
    __syncthreads();
  }
}
void branch_barrier() { auto y = f32(64); k_branch_barrier<<<1, 64>>>(p(y)); }

__global__ void k_loop_barrier(float* y) {
  for (int i = 0; i < threadIdx.x / 32 + 1; ++i) {
    y[threadIdx.x] += i;
    __syncthreads();  // bug: loop_barrier EM201
  }
}
void loop_barrier() { auto y = f32(64); k_loop_barrier<<<1, 64>>>(p(y)); }

__global__ void k_exited_lanes(float* y) {
  if (threadIdx.x >= 20) return;
  y[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 1);  // bug: exited_lanes EM202
}
void exited_lanes() { auto y = f32(32); k_exited_lanes<<<1, 32>>>(p(y)); }

__global__ void k_branch_shuffle(float* y) {
  float v = threadIdx.x;
  if (threadIdx.x < 16)
    v = __shfl_xor_sync(0xffffffff, v, 1);  // bug: branch_shuffle EM202
  __syncwarp();  // without it the others exit, and hardware does not wait for lanes that exited
  y[threadIdx.x] = v;
}
void branch_shuffle() { auto y = f32(32); k_branch_shuffle<<<1, 32>>>(p(y)); }

__global__ void k_not_named(int* y) {
  y[threadIdx.x] = __ballot_sync(0x0000ffff, threadIdx.x & 1);  // bug: not_named EM202
}
void not_named() { auto y = i32(32); k_not_named<<<1, 32>>>(y.data_ptr<int>()); }

// So far apart that the state of the first accesses has been put away before the last.
__global__ void k_far_apart(float* y, int64_t n) {
  int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i;  // bug: far_apart EM204
  if (i == n - 1) y[5] = -1;
}
void far_apart() { auto y = torch::ones({5 << 20}, torch::dtype(torch::kFloat32).device(torch::kCUDA)); k_far_apart<<<5 << 10, 1024>>>(y.data_ptr<float>(), y.numel()); }

__global__ void k_far_apart_bytes(const uint8_t* x, uint8_t* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 7;
  if (i == n - 1) y[0] = x[y[5]];  // bug: far_apart_bytes EM204
}
void far_apart_bytes() {
  auto x = torch::ones({2 << 20}, torch::dtype(torch::kUInt8).device(torch::kCUDA)), y = torch::ones_like(x);
  k_far_apart_bytes<<<2 << 10, 1024>>>(x.data_ptr<uint8_t>(), y.data_ptr<uint8_t>(), y.numel());
}
