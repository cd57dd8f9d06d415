// Correct kernels that look like the planted ones: none has a finding.
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
static auto f32 = [](int64_t n) { return torch::arange(n, torch::dtype(torch::kFloat32).device(torch::kCUDA)); };
static auto i32 = [](int64_t n) { return torch::zeros({n}, torch::dtype(torch::kInt32).device(torch::kCUDA)); };
static auto unset = [](int64_t n, torch::ScalarType t = torch::kFloat32) { return torch::empty({n}, torch::dtype(t).device(torch::kCUDA)); };
static float* p(const torch::Tensor& t) { return t.data_ptr<float>(); }

__global__ void k_guarded(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
torch::Tensor guarded() { auto x = f32(100), y = unset(100); k_guarded<<<2, 64>>>(p(x), p(y), 100); return y; }

__global__ void k_reduce(const float* x, float* y) {
  __shared__ float s[128];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int n = 64; n > 0; n >>= 1) {
    if (threadIdx.x < n) s[threadIdx.x] += s[threadIdx.x + n];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[0] = s[0];
}
torch::Tensor reduce() { auto x = f32(128), y = unset(1); k_reduce<<<1, 128>>>(p(x), p(y)); return y; }

__global__ void k_last_warp(const float* x, float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    float v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d >>= 1) {
      s[t] = v;
      __syncwarp();
      if (t + d < 32) v += s[t + d];
      __syncwarp();
    }
    if (t == 0) y[0] = v;
  }
}
torch::Tensor last_warp() { auto x = f32(64), y = unset(1); k_last_warp<<<1, 64>>>(p(x), p(y)); return y; }

__global__ void k_half_warps(float* y) {
  __shared__ float s[32];
  unsigned mask = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
  for (int round = 0; round < 3; ++round) {
    s[threadIdx.x] = threadIdx.x + round;
    __syncwarp(mask);
    y[threadIdx.x] = s[threadIdx.x ^ 15];
    __syncwarp(mask);
  }
}
torch::Tensor half_warps() { auto y = unset(32); k_half_warps<<<1, 32>>>(p(y)); return y; }

__global__ void k_broadcast_then_write(float* y) {
  __shared__ float s;
  for (int i = 0; i < 3; ++i) {
    if (threadIdx.x == 0) s = i;
    __syncwarp();
    y[i * 32 + threadIdx.x] = s;
    __syncwarp();
  }
}
torch::Tensor broadcast_then_write() { auto y = unset(96); k_broadcast_then_write<<<1, 32>>>(p(y)); return y; }

__global__ void k_reuse(const float* x, float* y, int rows) {
  __shared__ float total;
  for (int r = 0; r < rows; ++r) {
    if (threadIdx.x == 0) total = x[r];
    __syncthreads();
    y[r * blockDim.x + threadIdx.x] = total;
    __syncthreads();
  }
}
torch::Tensor reuse() { auto x = f32(3), y = unset(192); k_reuse<<<1, 64>>>(p(x), p(y), 3); return y; }

__global__ void k_double_buffer(const float* x, float* y) {
  __shared__ float s[2][64];
  int t = threadIdx.x, from = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2, from ^= 1) {
    s[from ^ 1][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    __syncthreads();
  }
  y[t] = s[from][t];
}
torch::Tensor double_buffer() { auto x = f32(64), y = unset(64); k_double_buffer<<<1, 64>>>(p(x), p(y)); return y; }

__global__ void k_transpose(const float* x, float* y, int n) {
  __shared__ float tile[8][9];
  int c = blockIdx.x * 8 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r < n && c < n) tile[threadIdx.y][threadIdx.x] = x[r * n + c];
  __syncthreads();
  int tc = blockIdx.y * 8 + threadIdx.x, tr = blockIdx.x * 8 + threadIdx.y;
  if (tr < n && tc < n) y[tr * n + tc] = tile[threadIdx.x][threadIdx.y];
}
torch::Tensor transpose() { auto x = f32(169), y = unset(169); k_transpose<<<dim3(2, 2), dim3(8, 8)>>>(p(x), p(y), 13); return y; }

__global__ void k_flat_tile(const float* x, float* y) {
  __shared__ float tile[4][8];
  for (int i = threadIdx.x; i < 32; i += blockDim.x) tile[0][i] = x[i];
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x / 8][threadIdx.x % 8];
}
torch::Tensor flat_tile() { auto x = f32(32), y = unset(32); k_flat_tile<<<1, 32>>>(p(x), p(y)); return y; }

__global__ void k_histogram(const int* x, int* y, int n) {
  __shared__ int bins[8];
  if (threadIdx.x < 8) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i] & 7], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);
}
torch::Tensor histogram() {
  auto x = torch::arange(200, torch::dtype(torch::kInt32)), y = i32(8);
  k_histogram<<<3, 64>>>(x.data_ptr<int>(), y.data_ptr<int>(), 200);
  return y;
}

__device__ void max_by_cas(float* to, float v) {
  int* word = reinterpret_cast<int*>(to);
  int old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))));
  } while (assumed != old);
}
__global__ void k_cas_loop(const float* x, float* y) { max_by_cas(y, x[blockIdx.x * blockDim.x + threadIdx.x]); }
torch::Tensor cas_loop() { auto x = f32(128), y = f32(1); k_cas_loop<<<2, 64>>>(p(x), p(y)); return y; }

__global__ void k_look_first(const float* x, int* y) {
  int v = static_cast<int>(x[blockIdx.x * blockDim.x + threadIdx.x]);
  if (*y < v) atomicMax(y, v);
}
torch::Tensor look_first() { auto x = f32(128), y = i32(1); k_look_first<<<2, 64>>>(p(x), y.data_ptr<int>()); return y; }

__global__ void k_last_block(const float* x, float* partial, unsigned* done, float* y) {
  __shared__ bool is_last;
  __shared__ float s[32];
  s[threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += s[i];
    partial[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) atomicAdd(y, partial[threadIdx.x]);
}
torch::Tensor last_block() {
  auto x = f32(128), q = unset(4), y = torch::zeros({1});
  auto d = i32(1);
  k_last_block<<<4, 32>>>(p(x), p(q), reinterpret_cast<unsigned*>(d.data_ptr<int>()), p(y));
  return y;
}

__global__ void k_chained(const float* x, volatile float* sums, volatile int* flags, float* y) {
  if (threadIdx.x == 0) {
    float before = 0;
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0) {}
      __threadfence();
      before = sums[blockIdx.x - 1];
    }
    y[blockIdx.x] = before;
    sums[blockIdx.x] = before + x[blockIdx.x];
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}
torch::Tensor forward_only_chained() {
  auto x = f32(4), s = unset(4), y = unset(4);
  auto d = i32(4);
  k_chained<<<4, 32>>>(p(x), p(s), d.data_ptr<int>(), p(y));
  return y;
}

__global__ void k_ticket(float* y) {
  __shared__ float s[64];
  __shared__ int done;
  if (threadIdx.x == 0) done = 0;
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  if (atomicAdd(&done, 1) == 63) {
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += s[i];
    y[0] = sum;
  }
}
torch::Tensor ticket() { auto y = unset(1); k_ticket<<<1, 64>>>(p(y)); return y; }

__global__ void k_flag(const float* x, int* found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 3) *found = 1;
}
torch::Tensor flag() { auto x = f32(100); auto y = i32(1); k_flag<<<2, 64>>>(p(x), y.data_ptr<int>(), 100); return y; }

__global__ void k_same_value(float* y, int n) {
  __shared__ int count;
  count = n;
  __syncthreads();
  if (threadIdx.x < count) y[threadIdx.x] = count;
}
torch::Tensor same_value() { auto y = unset(64); k_same_value<<<1, 64>>>(p(y), 64); return y; }

__global__ void k_in_place(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 2 + 1;
}
torch::Tensor in_place() { auto x = f32(100); k_in_place<<<2, 64>>>(p(x), 100); return x; }

torch::Tensor two_launches() {
  auto x = f32(64), w = unset(64), y = unset(64);
  k_guarded<<<2, 32>>>(p(x), p(w), 64);
  k_guarded<<<1, 64>>>(p(w), p(y), 64);
  return y;
}

__global__ void k_halves(const __half* x, __half* y, int n) {
  __shared__ __half s[65];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x == 0) s[64] = x[0];
  __syncthreads();
  if (threadIdx.x < n) y[threadIdx.x] = s[threadIdx.x + 1];
}
torch::Tensor halves() {
  auto x = f32(64).to(torch::kHalf), y = torch::empty_like(x);
  k_halves<<<1, 64>>>(reinterpret_cast<__half*>(x.data_ptr<at::Half>()), reinterpret_cast<__half*>(y.data_ptr<at::Half>()), 64);
  return y;
}

__global__ void k_bytes(const unsigned char* x, bool* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 100;
}
torch::Tensor bytes() {
  auto x = torch::full({77}, 255, torch::dtype(torch::kUInt8)), y = torch::empty({77}, torch::dtype(torch::kBool));
  k_bytes<<<3, 32>>>(x.data_ptr<uint8_t>(), y.data_ptr<bool>(), 77);
  return y;
}

struct Pair { float value; int64_t index; };
__device__ Pair larger(Pair a, Pair b) { return b.value > a.value ? b : a; }
__global__ void k_pairs(const float* x, int64_t* y) {
  __shared__ Pair s[64];
  s[threadIdx.x] = Pair{x[threadIdx.x], threadIdx.x};
  __syncthreads();
  for (int n = 32; n > 0; n >>= 1) {
    if (threadIdx.x < n) s[threadIdx.x] = larger(s[threadIdx.x], s[threadIdx.x + n]);
    __syncthreads();
  }
  if (threadIdx.x == 0) y[0] = s[0].index;
}
__global__ void k_copied_pairs(const float* x, int64_t* y) {
  __shared__ Pair s[64], t[64];
  s[threadIdx.x].value = x[threadIdx.x];
  s[threadIdx.x].index = threadIdx.x;
  __syncthreads();
  t[threadIdx.x] = s[63 - threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = t[threadIdx.x].index;
}
torch::Tensor pairs() {
  auto x = f32(64), y = torch::empty({1}, torch::dtype(torch::kInt64)), z = torch::empty({64}, torch::dtype(torch::kInt64));
  k_pairs<<<1, 64>>>(p(x), y.data_ptr<int64_t>());
  k_copied_pairs<<<1, 64>>>(p(x), z.data_ptr<int64_t>());
  return z;
}

__global__ void k_vectors(const float4* x, float4* y, int n4) {
  int i = threadIdx.x;
  if (i < n4) y[i] = x[i];
}
torch::Tensor vectors() {
  auto x = f32(64), y = unset(64);
  k_vectors<<<1, 32>>>(reinterpret_cast<float4*>(p(x)), reinterpret_cast<float4*>(p(y)), 16);
  return y;
}

__global__ void k_vector_tail(const float* x, float* y, int n) {
  int i = threadIdx.x * 4;
  if (i + 3 < n) *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>(x + i);
  else for (; i < n; ++i) y[i] = x[i];
}
torch::Tensor vector_tail() { auto x = f32(62), y = unset(62); k_vector_tail<<<1, 32>>>(p(x), p(y), 62); return y; }

torch::Tensor aligned_slice() {
  auto x = f32(68), y = unset(64);
  k_vectors<<<1, 32>>>(reinterpret_cast<float4*>(p(x) + 4), reinterpret_cast<float4*>(p(y)), 16);
  return y;
}

torch::Tensor filled_by_torch() {
  auto x = unset(64), y = unset(64);
  x.fill_(-1);
  y.zero_();
  k_guarded<<<1, 32>>>(p(x), p(y), 20);
  return y;
}

__global__ void k_partly(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }
torch::Tensor written_in_parts() {
  auto y = unset(64);
  k_partly<<<1, 32>>>(p(y), 32);
  k_partly<<<1, 32>>>(p(y) + 32, 32);
  return y;
}
torch::Tensor returns_the_written_part() {
  auto y = unset(64);
  k_partly<<<1, 32>>>(p(y), 30);
  return y.narrow(0, 0, 30);
}
torch::Tensor nothing_to_do() { return unset(0); }

torch::Tensor device_memory() {
  float *a, *b;
  auto y = unset(32);
  cudaMalloc(&a, 128);
  cudaMalloc(&b, 128);
  cudaMemset(a, 0, 128);
  cudaMemcpy(b, a, 128, cudaMemcpyDeviceToDevice);
  k_guarded<<<1, 32>>>(b, p(y), 32);
  cudaFree(a);
  cudaFree(b);
  return y;
}

__global__ void k_early_return(float* y, int n) {
  if (threadIdx.x >= n) return;
  y[threadIdx.x] = 1;
}
torch::Tensor early_return() { auto y = unset(40); k_early_return<<<1, 64>>>(p(y), 40); return y; }

__global__ void k_uniform_branch(float* y, int n) {
  __shared__ float s[32];
  if (n > 3) {
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[31 - threadIdx.x];
  }
}
torch::Tensor uniform_branch() { auto y = unset(32); k_uniform_branch<<<1, 32>>>(p(y), 9); return y; }

__global__ void k_masked_shuffle(float* y) {
  float v = threadIdx.x;
  if (threadIdx.x < 16) v = __shfl_xor_sync(0x0000ffff, v, 1);
  y[threadIdx.x] = v;
}
torch::Tensor masked_shuffle() { auto y = unset(32); k_masked_shuffle<<<1, 32>>>(p(y)); return y; }

__global__ void k_wide_index(const float* x, float* y, int rows, int stride) {
  int r = threadIdx.x;
  if (r < rows) y[r] = x[(static_cast<int64_t>(r) * stride) & 7];
}
torch::Tensor wide_index() { auto x = f32(8), y = unset(8); k_wide_index<<<1, 8>>>(p(x), p(y), 8, 1 << 29); return y; }

__global__ void k_hash(int* y) {
  unsigned h = threadIdx.x + 1;
  h = h * 2654435761u ^ (h << 16);
  y[threadIdx.x] = h & 0xff;
}
torch::Tensor hash() { auto y = unset(32, torch::kInt32); k_hash<<<1, 32>>>(y.data_ptr<int>()); return y; }

__constant__ float taps[3];
__device__ int visited;
__global__ void k_constants(const float* x, float* y, int n) {
  int i = threadIdx.x;
  float s = 0;
  for (int k = 0; k < 3; ++k) s += taps[k] * (i + k < n ? x[i + k] : 0.0f);
  if (i < n) y[i] = s;
  atomicAdd(&visited, 1);
}
torch::Tensor constants() {
  const float host[3] = {1, 2, 3};
  cudaMemcpyToSymbol(taps, host, sizeof host);
  auto x = f32(32), y = unset(32);
  k_constants<<<2, 32>>>(p(x), p(y), 0);
  k_constants<<<1, 32>>>(p(x), p(y), 32);
  return y;
}

__global__ void k_local(float* y) {
  float acc[4] = {0, 0, 0, 0};
  for (int i = 0; i < 16; ++i) acc[(i * threadIdx.x) % 4] += i;
  y[threadIdx.x] = acc[threadIdx.x % 4];
}
torch::Tensor local() { auto y = unset(32); k_local<<<1, 32>>>(p(y)); return y; }

__global__ void k_wide_thread_index(const unsigned char* x, unsigned char* y, int64_t n) {
  int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 255 - x[i];
}
void wide_thread_index(torch::Tensor x, torch::Tensor y) {
  k_wide_thread_index<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<uint8_t>(), y.data_ptr<uint8_t>(), x.numel());
}

// More memory than the state of its accesses may take at once, visited twice by the same threads.
__global__ void k_many_chunks(const float* x, float4* y, uint8_t* bytes, int n) {
  for (int round = 0; round < 2; ++round)
    for (int at = threadIdx.x; at < n / 4; at += 64) {
      float4 v = round == 0 ? make_float4(0, 1, 2, 3) : y[at];
      v.x += x[at * 4];
      v.z += x[n - 1];
      y[at] = v;
      bytes[at] = bytes[at] + 1;
    }
}
void many_chunks() {
  auto x = torch::ones({2 << 20}, torch::dtype(torch::kFloat32).device(torch::kCUDA)), y = torch::empty_like(x);
  auto bytes = torch::zeros({(2 << 20) / 4}, torch::dtype(torch::kUInt8).device(torch::kCUDA));
  k_many_chunks<<<1, 4>>>(x.data_ptr<float>(), reinterpret_cast<float4*>(y.data_ptr<float>()), bytes.data_ptr<uint8_t>(), x.numel());
}
