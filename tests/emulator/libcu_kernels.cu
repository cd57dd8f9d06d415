// libcu++: atomics, barriers, pipelines and asynchronous copies.
#include <torch/extension.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
namespace cg = cooperative_groups;

static float* f(const torch::Tensor& t) { return t.data_ptr<float>(); }
static int* i(const torch::Tensor& t) { return t.data_ptr<int>(); }

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> tickets{0};
__global__ void atomics(int* out, float* sum) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> local;
  if (threadIdx.x == 0) local.store(100, cuda::memory_order_relaxed);
  __syncthreads();
  local.fetch_add(1, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> total(out[0]), high(out[1]), mask(out[2]);
  ++total;
  high.fetch_max((int)threadIdx.x * 3, cuda::memory_order_relaxed);
  mask |= 1 << (threadIdx.x % 8);
  cuda::std::atomic_ref<float>(sum[0]).fetch_add(0.5f);
  int expected = 0;
  if (cuda::std::atomic_ref<int>(out[3]).compare_exchange_strong(expected, 7)) tickets += 1;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&out[4], local.load()), out[5] = cuda::std::numeric_limits<int>::max();
}
int64_t run_atomics(torch::Tensor out, torch::Tensor sum) {
  atomics<<<3, 64>>>(i(out), f(sum));
  unsigned taken;
  cudaMemcpyFromSymbol(&taken, tickets, sizeof taken);
  return taken;
}

// The last block to finish adds what the others have released.
__global__ void last_block(const float* x, float* parts, unsigned* done, float* y) {
  __shared__ bool last;
  parts[blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x] * 2;
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*done);
    __threadfence();
    last = count.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0;
    for (unsigned k = 0; k < gridDim.x * blockDim.x; ++k) total += parts[k];
    *y = total;
  }
}
void run_last(torch::Tensor x, torch::Tensor parts, torch::Tensor done, torch::Tensor y) {
  last_block<<<4, 32>>>(f(x), f(parts), (unsigned*)i(done), f(y));
}

__global__ void group_copy(const float* x, float* y, int n) {
  __shared__ float tile[2][64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], x, sizeof(float) * 64);
  cg::memcpy_async(block, tile[1], 64, x + 64, n - 64);
  cg::wait_prior<1>(block);
  y[threadIdx.x] = tile[0][63 - threadIdx.x];
  cg::wait(block);
  if (64 + threadIdx.x < n) y[64 + threadIdx.x] = tile[1][threadIdx.x] + 1;
}
void run_copy(torch::Tensor x, torch::Tensor y) { group_copy<<<1, 64>>>(f(x), f(y), x.numel()); }

template <cuda::thread_scope SCOPE>
__global__ void staged(const float* x, float* y, int tiles) {
  __shared__ float tile[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = [&] {
    if constexpr (SCOPE == cuda::thread_scope_block) return cuda::make_pipeline(block, &state);
    else return cuda::make_pipeline();
  }();
  const int t = threadIdx.x;
  for (int fetched = 0, used = 0; used < tiles; ++used) {
    for (; fetched < tiles && fetched < used + 2; ++fetched) {
      pipe.producer_acquire();
      if constexpr (SCOPE == cuda::thread_scope_block) cuda::memcpy_async(block, tile[fetched % 2], x + fetched * 32, sizeof(float) * 32, pipe);
      else cuda::memcpy_async(&tile[fetched % 2][t], x + fetched * 32 + t, sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    y[used * 32 + t] = SCOPE == cuda::thread_scope_block ? tile[used % 2][31 - t] : tile[used % 2][t];
    pipe.consumer_release();
  }
}
void run_staged(torch::Tensor x, torch::Tensor y, bool block) {
  if (block) staged<cuda::thread_scope_block><<<1, 32>>>(f(x), f(y), x.numel() / 32);
  else staged<cuda::thread_scope_thread><<<1, 32>>>(f(x), f(y), x.numel() / 32);
}

__global__ void with_barrier(const float* x, float* y, int expected) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ float tile[64];
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, expected);
  __syncthreads();
  cuda::memcpy_async(block, tile, x, cuda::aligned_size_t<4>(sizeof(float) * 64), bar);
  bar.arrive_and_wait();
  float v = tile[63 - threadIdx.x];
  auto token = bar.arrive();
  v += 1;
  bar.wait(std::move(token));
  tile[threadIdx.x] = v;
  bar.arrive_and_wait();
  y[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}
void run_barrier(torch::Tensor x, torch::Tensor y, int64_t expected) { with_barrier<<<1, 64>>>(f(x), f(y), expected); }

__global__ void not_waited(const float* x, float* y) {
  __shared__ float tile[64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x, sizeof(float) * 64);
  block.sync();
  y[threadIdx.x] = tile[threadIdx.x];
}
void run_not_waited(torch::Tensor x, torch::Tensor y) { not_waited<<<1, 64>>>(f(x), f(y)); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("atomics", &run_atomics);
  m.def("last", &run_last);
  m.def("copy", &run_copy);
  m.def("staged", &run_staged);
  m.def("barrier", &run_barrier);
  m.def("not_waited", &run_not_waited);
}
