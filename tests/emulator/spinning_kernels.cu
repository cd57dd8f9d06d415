// Blocks that wait for one another on memory: grid barriers, look-back and flags as they are written by hand.
#include <torch/extension.h>
#include <cuda/atomic>

static float* f(const torch::Tensor& t) { return t.data_ptr<float>(); }

__device__ void grid_barrier(unsigned* arrived, unsigned goal, int how) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    if (how == 0) while (*(volatile unsigned*)arrived < goal) {}
    else if (how == 1) while (atomicAdd(arrived, 0u) < goal) {}
    else for (;;) if (*(volatile unsigned*)arrived >= goal) break;
    __threadfence();
  }
  __syncthreads();
}
// Each step reads what other blocks wrote in the one before; shared memory is kept across the barrier.
__global__ void smooth_kernel(float* a, float* b, unsigned* arrived, int n, int steps, int how) {
  __shared__ float kept[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* const last = steps % 2 == 0 ? a : b;
  kept[threadIdx.x] = i < n ? a[i] : 0;
  for (int s = 0; s < steps; ++s) {
    if (i < n) b[i] = (a[(i + n - 1) % n] + a[i] + a[(i + 1) % n]) / 3;
    grid_barrier(arrived, gridDim.x * (s + 1), how);
    float* t = a; a = b; b = t;
  }
  if (i < n) last[i] += kept[63 - threadIdx.x];
}
void smooth(torch::Tensor a, torch::Tensor b, torch::Tensor arrived, int64_t steps, int64_t blocks, int64_t how) {
  smooth_kernel<<<blocks, 64>>>(f(a), f(b), (unsigned*)arrived.data_ptr<int>(), a.numel(), steps, how);
}

// Each block waits for the sum of the one before. A block's number comes from a counter, or is its own.
__global__ void scan_kernel(const float* x, float* y, float* sums, int* flags, int* ticket, int ordered) {
  __shared__ int number;
  __shared__ float before;
  if (threadIdx.x == 0) {
    const int b = ordered ? atomicAdd(ticket, 1) : blockIdx.x;
    number = b;
    float sum = 0;
    for (int i = 0; i < blockDim.x; ++i) sum += x[b * blockDim.x + i];
    before = 0;
    if (b > 0) {
      while (((volatile int*)flags)[b - 1] == 0) {}  // waits
      __threadfence();
      before = ((volatile float*)sums)[b - 1];
    }
    ((volatile float*)sums)[b] = before + sum;
    __threadfence();
    atomicExch(&flags[b], 1);
  }
  __syncthreads();
  float sum = before;
  for (int i = 0; i <= threadIdx.x; ++i) sum += x[number * blockDim.x + i];
  y[number * blockDim.x + threadIdx.x] = sum;
}
void scan(torch::Tensor x, torch::Tensor y, torch::Tensor sums, torch::Tensor flags, torch::Tensor ticket, bool ordered) {
  scan_kernel<<<x.numel() / 32, 32>>>(f(x), f(y), f(sums), flags.data_ptr<int>(), ticket.data_ptr<int>(), ordered);
}

// Block 0 takes what block 1 hands over, one value after another, through one place.
__global__ void handed_kernel(float* y, float* place, int* turn, int n) {
  for (int i = 0; i < n; ++i) {
    while (atomicAdd(turn, 0) != (blockIdx.x == 0 ? 1 : 0)) __nanosleep(20);
    __threadfence();
    if (blockIdx.x == 0) y[i] = *(volatile float*)place;
    else *(volatile float*)place = i;
    __threadfence();
    atomicExch(turn, blockIdx.x == 0 ? 0 : 1);
  }
}
void handed(torch::Tensor y, torch::Tensor place, torch::Tensor turn) {
  handed_kernel<<<2, 1>>>(f(y), f(place), turn.data_ptr<int>(), y.numel());
}

// A lock that another block holds while it waits.
__global__ void locked_kernel(int* lock, int* count, int* total) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  atomicAdd(count, 1);
  *(volatile int*)total = *(volatile int*)total + 1;
  __threadfence();
  atomicExch(lock, 0);
  while (atomicAdd(count, 0) < gridDim.x) {}
}
void locked(torch::Tensor lock, torch::Tensor count, torch::Tensor total, int64_t blocks) {
  locked_kernel<<<blocks, 1>>>(lock.data_ptr<int>(), count.data_ptr<int>(), total.data_ptr<int>());
}

// A volatile bound, read often, is no wait.
__global__ void bound_kernel(volatile int* n, float* y) {
  float sum = 0;
  for (int i = 0; i < *n; ++i) sum += 1;
  int left = 3000;
  while (--left > *n) sum += 0;
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
void bound(torch::Tensor n, torch::Tensor y) { bound_kernel<<<3, 2>>>(n.data_ptr<int>(), f(y)); }

// Nobody writes, or a thread that waits at a barrier would.
__global__ void never_kernel(int* flag, int how) {
  if (how == 0) while (atomicAdd(flag, 0) == 0) {}
  if (how == 1 && threadIdx.x == 0) while (*(volatile int*)flag == 0) {}
  __syncthreads();
  if (threadIdx.x == 1) *flag = 1;
}
void never(torch::Tensor flag, int64_t how) { never_kernel<<<2, 2>>>(flag.data_ptr<int>(), how); }

// Waits that come to an end by themselves: by a count in a register, in memory, by a clock; or that never do, round many places.
__global__ void patient_kernel(int* flag, int* tries, int how) {
  int left = 600000;
  const long long begin = how == 2 ? clock64() : how == 3 ? (long long)clock() : 0;
  while (*(volatile int*)flag == 0) {
    if (how == 0 && --left == 0) break;
    if (how == 1 && ++tries[blockIdx.x] == 60000) break;
    if (how == 2 && clock64() - begin > 60000000) break;
    if (how == 3 && (long long)clock() - begin > 30000) break;
    if (how == 4) {
      int sum = 0;
      for (int i = 1; i < 9; ++i) sum += ((volatile int*)flag)[i];
      if (sum != 0) break;
    }
    if (how == 5) atomicExch(&flag[9], 0);
    if (how == 6) cuda::atomic_ref<int>(flag[9]).exchange(0);
  }
  atomicAdd(&flag[10], 1);
}
void patient(torch::Tensor flag, torch::Tensor tries, int64_t how) {
  patient_kernel<<<2, 1>>>(flag.data_ptr<int>(), tries.data_ptr<int>(), how);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("smooth", &smooth); m.def("scan", &scan); m.def("handed", &handed); m.def("locked", &locked);
  m.def("bound", &bound); m.def("never", &never);
  m.def("patient", &patient);
}
