// cub as kernels use it: collectives of warps and blocks, and algorithms of whole arrays.
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <cub/cub.cuh>
#include <cub/block/block_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

template <typename T> T* at_(const torch::Tensor& t) { return t.data_ptr<T>(); }
static float* f(const torch::Tensor& t) { return t.data_ptr<float>(); }
static int* i(const torch::Tensor& t) { return t.data_ptr<int>(); }

template <int THREADS, cub::BlockReduceAlgorithm ALGORITHM>
__global__ void row_stats(const float* x, float* out, int n) {
  using Reduce = cub::BlockReduce<float, THREADS, ALGORITHM>;
  __shared__ typename Reduce::TempStorage temp;
  __shared__ float mean;
  const float* row = x + blockIdx.x * n;
  float sum = 0, top = -INFINITY;
  for (int k = threadIdx.x; k < n; k += THREADS) sum += row[k], top = fmaxf(top, row[k]);
  float total = Reduce(temp).Sum(sum);
  if (threadIdx.x == 0) mean = total / n;
  __syncthreads();
  float highest = Reduce(temp).Reduce(top, cub::Max());
  __syncthreads();
  float lowest = Reduce(temp).Reduce(-top, cuda::minimum<>{});
  __syncthreads();
  float away = 0;
  for (int k = threadIdx.x; k < n; k += THREADS) away += (row[k] - mean) * (row[k] - mean);
  float variance = Reduce(temp).Reduce(away, cuda::std::plus<>{}) / n;
  if (threadIdx.x == 0) {
    float* o = out + blockIdx.x * 4;
    o[0] = mean, o[1] = highest, o[2] = lowest, o[3] = variance;
  }
}
void stats(torch::Tensor x, torch::Tensor out, int64_t algorithm) {
  int n = x.size(1);
  auto stream = at::cuda::getCurrentCUDAStream();
  if (algorithm == 0) row_stats<128, cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<x.size(0), 128, 0, stream>>>(f(x), f(out), n);
  if (algorithm == 1) row_stats<100, cub::BLOCK_REDUCE_RAKING><<<x.size(0), 100, 0, stream>>>(f(x), f(out), n);
  if (algorithm == 2) row_stats<32, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<x.size(0), 32, 0, stream>>>(f(x), f(out), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// Pairs of a value and its place; a part of the block has items; the result of other threads is shown.
__global__ void arg_max(const float* x, float* all, int* where, int n) {
  typedef cub::KeyValuePair<int, float> Pair;
  typedef cub::BlockReduce<Pair, 8, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4, 2> Reduce;
  typedef cub::BlockReduce<float, 8, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4, 2> Plain;
  __shared__ union { typename Reduce::TempStorage pairs; typename Plain::TempStorage plain[2]; } temp;
  int t = cub::RowMajorTid(8, 4, 2);
  Pair best = Reduce(temp.pairs).Reduce(Pair(t, x[t]), cub::ArgMax(), n);
  __syncthreads();
  all[t] = Plain(temp.plain[1]).Sum(x[t], n);
  if (t == 0) where[0] = best.key;
}
void arg(torch::Tensor x, torch::Tensor all, torch::Tensor where, int64_t n) { arg_max<<<1, dim3(8, 4, 2)>>>(f(x), f(all), i(where), n); }

struct Running {
  int total;
  __device__ Running(int t) : total(t) {}
  __device__ int operator()(int block) { int old = total; total += block; return old; }
};
template <int THREADS, int ITEMS, cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE, cub::BlockScanAlgorithm SCAN>
__global__ void running_sum(const int* x, int* y, int n) {
  using Load = cub::BlockLoad<int, THREADS, ITEMS, LOAD>;
  using Store = cub::BlockStore<int, THREADS, ITEMS, STORE>;
  using Scan = cub::BlockScan<int, THREADS, SCAN>;
  __shared__ union Temp { typename Load::TempStorage load; typename Store::TempStorage store; typename Scan::TempStorage scan; } temp;
  Running before(0);
  for (int start = 0; start < n; start += THREADS * ITEMS) {
    int items[ITEMS];
    Load(temp.load).Load(x + start, items, n - start, 0);
    __syncthreads();
    Scan(temp.scan).InclusiveSum(items, items, before);
    __syncthreads();
    Store(temp.store).Store(y + start, items, n - start);
    __syncthreads();
  }
}
void running(torch::Tensor x, torch::Tensor y, int64_t which) {
  int n = x.numel();
  if (which == 0) running_sum<64, 4, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE, cub::BLOCK_SCAN_WARP_SCANS><<<1, 64>>>(i(x), i(y), n);
  if (which == 1) running_sum<96, 3, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE, cub::BLOCK_SCAN_RAKING><<<1, 96>>>(i(x), i(y), n);
  if (which == 2) running_sum<40, 2, cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_VECTORIZE, cub::BLOCK_SCAN_RAKING_MEMOIZE><<<1, 40>>>(i(x), i(y), n);
}

__global__ void scans(const int* x, int* y) {
  using Scan = cub::BlockScan<int, 72>;
  __shared__ Scan::TempStorage temp[2];
  int t = threadIdx.x, total, out;
  int* o = y + t * 10;
  Scan(temp[0]).ExclusiveSum(x[t], out, total), o[0] = out, o[1] = total;
  Scan(temp[1]).InclusiveScan(x[t], out, cub::Max()), o[2] = out;
  __syncthreads();
  Scan(temp[0]).ExclusiveScan(x[t], out, -5, cub::Max(), total), o[3] = out, o[4] = total;
  Scan(temp[1]).ExclusiveScan(x[t], out, cub::Min()), o[5] = out;
  __syncthreads();
  int two[2] = {x[t], 1}, scanned[2];
  Scan(temp[0]).ExclusiveSum(two, scanned), o[6] = scanned[0], o[7] = scanned[1];
  Scan(temp[1]).InclusiveScan(two, scanned, cub::Sum(), total), o[8] = scanned[0], o[9] = total;
}
void scan(torch::Tensor x, torch::Tensor y) { scans<<<1, 72>>>(i(x), i(y)); }

__global__ void warps(const float* x, float* y) {
  using Reduce = cub::WarpReduce<float>;
  using Quarter = cub::WarpReduce<float, 8>;
  using Scan = cub::WarpScan<float>;
  __shared__ Reduce::TempStorage reduce[2];
  __shared__ Quarter::TempStorage quarter[8];
  __shared__ Scan::TempStorage scan[2];
  int t = threadIdx.x, warp = t / 32;
  float out;
  y[t * 6] = Reduce(reduce[warp]).Sum(x[t]);
  y[t * 6 + 1] = Reduce(reduce[warp]).Reduce(x[t], cub::Max(), 5);
  y[t * 6 + 2] = Quarter(quarter[t / 8]).Sum(x[t]);
  Scan(scan[warp]).InclusiveSum(x[t], out), y[t * 6 + 3] = out;
  Scan(scan[warp]).ExclusiveScan(x[t], out, 100.0f, cub::Sum()), y[t * 6 + 4] = out;
  y[t * 6 + 5] = Scan(scan[warp]).Broadcast(x[t], 3);
}
void warp(torch::Tensor x, torch::Tensor y) { warps<<<1, 64>>>(f(x), f(y)); }

template <typename K, int THREADS, int ITEMS>
__global__ void sorts(K* keys, int* values, bool down) {
  using Sort = cub::BlockRadixSort<K, THREADS, ITEMS, int>;
  __shared__ typename Sort::TempStorage temp;
  K k[ITEMS];
  int v[ITEMS];
  cub::LoadDirectBlocked(threadIdx.x, keys, k);
  cub::LoadDirectBlocked(threadIdx.x, values, v);
  if (down) Sort(temp).SortDescendingBlockedToStriped(k, v);
  else Sort(temp).SortBlockedToStriped(k, v);
  cub::StoreDirectStriped<THREADS>(threadIdx.x, keys, k);
  cub::StoreDirectStriped<THREADS>(threadIdx.x, values, v);
}
void sort(torch::Tensor keys, torch::Tensor values, bool down) {
  if (keys.scalar_type() == torch::kFloat) sorts<float, 64, 3><<<1, 64>>>(f(keys), i(values), down);
  else sorts<int, 64, 3><<<1, 64>>>(i(keys), i(values), down);
}

__global__ void shuffles(const int* x, int* y) {
  using Shuffle = cub::BlockShuffle<int, 48>;
  using Exchange = cub::BlockExchange<int, 48, 2>;
  __shared__ Shuffle::TempStorage temp;
  __shared__ Exchange::TempStorage exchange;
  int t = threadIdx.x, out = -7;
  Shuffle(temp).Offset(x[t], out, -2);
  y[t * 4] = out;
  __syncthreads();
  Shuffle(temp).Rotate(x[t], out, 5);
  y[t * 4 + 1] = out;
  int two[2] = {2 * t, 2 * t + 1}, ranks[2] = {95 - 2 * t, 94 - 2 * t};
  Exchange(exchange).BlockedToStriped(two);
  y[t * 4 + 2] = two[1];
  __syncthreads();
  Exchange(exchange).ScatterToBlocked(two, ranks);
  y[t * 4 + 3] = two[0];
}
void shuffle(torch::Tensor x, torch::Tensor y) { shuffles<<<1, 48>>>(i(x), i(y)); }

// One width for blocks of any smaller size, as normalisations have it.
__global__ void row_norm(const float* x, float* y, int n) {
  using Reduce = cub::BlockReduce<float, 1024>;
  __shared__ typename Reduce::TempStorage temp;
  __shared__ float scale;
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += blockDim.x) sum += x[blockIdx.x * n + k] * x[blockIdx.x * n + k];
  sum = Reduce(temp).Reduce(sum, cub::Sum{}, blockDim.x);
  if (threadIdx.x == 0) scale = rsqrtf(sum / n);
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += blockDim.x) y[blockIdx.x * n + k] = x[blockIdx.x * n + k] * scale;
}
void normalise(torch::Tensor x, torch::Tensor y, int64_t threads) { row_norm<<<x.size(0), threads>>>(f(x), f(y), x.size(1)); }

// Storage in dynamic memory, named as the object that the array is.
__global__ void dynamic_storage(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 64>;
  using Scan = cub::BlockScan<float, 64>;
  extern __shared__ __align__(16) char memory[];
  auto& reduce = reinterpret_cast<Reduce::TempStorage&>(memory);
  float total = Reduce(reduce).Sum(x[threadIdx.x]), running;
  __syncthreads();
  Scan::TempStorage* scan = (Scan::TempStorage*)(&memory);
  Scan(*scan).InclusiveSum(x[threadIdx.x], running);
  __syncthreads();
  float* plain = reinterpret_cast<float*>(memory + 16);
  if (threadIdx.x == 0) plain[0] = total;
  __syncthreads();
  y[threadIdx.x] = running / plain[0];
}
void dynamic(torch::Tensor x, torch::Tensor y) { dynamic_storage<<<1, 64, sizeof(cub::BlockScan<float, 64>::TempStorage) + 32>>>(f(x), f(y)); }

// Whole arrays.
template <typename Call>
void two_phases(Call call, int64_t too_few = 0) {
  size_t bytes = 0;
  C10_CUDA_CHECK(call(nullptr, bytes));
  bytes -= too_few;
  auto temp = torch::empty({(int64_t)bytes}, torch::dtype(torch::kUInt8).device(torch::kCUDA));
  C10_CUDA_CHECK(call(temp.data_ptr(), bytes));
}
void whole(torch::Tensor x, torch::Tensor out, torch::Tensor scanned, torch::Tensor sorted, torch::Tensor order, torch::Tensor counts) {
  int n = x.numel();
  auto stream = at::cuda::getCurrentCUDAStream();
  two_phases([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, f(x), f(out), n, stream); });
  two_phases([&](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, f(x), f(out) + 1, n); });
  two_phases([&](void* t, size_t& b) { return cub::DeviceReduce::Reduce(t, b, f(x), f(out) + 2, n, cub::Min(), 0.5f); });
  two_phases([&](void* t, size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, f(x), f(scanned), n); });
  two_phases([&](void* t, size_t& b) { return cub::DeviceScan::ExclusiveScan(t, b, f(x), f(scanned) + n, cub::Max(), -9.0f, n); });
  two_phases([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortPairsDescending(t, b, f(x), f(sorted), i(order), i(order) + n, n); });
  auto keys = x.clone(), other = torch::zeros_like(x);
  cub::DoubleBuffer<float> both(f(keys), f(other));
  two_phases([&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, both, n); });
  cudaMemcpy(f(sorted) + n, both.Current(), n * sizeof(float), cudaMemcpyDeviceToDevice);
  cub::CountingInputIterator<int> numbers(0);
  auto even = [] __device__ (int v) { return v % 2 == 0; };
  two_phases([&](void* t, size_t& b) { return cub::DeviceSelect::If(t, b, numbers, i(counts) + 1, i(counts), 9, even); });
}
void segments(torch::Tensor x, torch::Tensor offsets, torch::Tensor out) {
  two_phases([&](void* t, size_t& b) { return cub::DeviceSegmentedReduce::Sum(t, b, f(x), f(out), offsets.numel() - 1, i(offsets), i(offsets) + 1); });
}
void little(torch::Tensor x, torch::Tensor out) {
  two_phases([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, f(x), f(out), (int)x.numel()); }, 1);
}
void too_many(torch::Tensor x, torch::Tensor out) {
  two_phases([&](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, f(x), f(out), (int)x.numel() + 5); });
}

// Wrong uses.
__global__ void reuse(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage temp;
  float a = Reduce(temp).Sum(x[threadIdx.x]);
  float b = Reduce(temp).Sum(x[threadIdx.x] * 2);  // bug: no __syncthreads()
  if (threadIdx.x == 0) y[0] = a + b;
}
void reused(torch::Tensor x, torch::Tensor y) { reuse<<<1, 128>>>(f(x), f(y)); }
void other_size(torch::Tensor x, torch::Tensor y) { reuse<<<1, 64>>>(f(x), f(y)); }
__global__ void everyone(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage temp;
  y[threadIdx.x] = Reduce(temp).Sum(x[threadIdx.x]);
}
void all_threads(torch::Tensor x, torch::Tensor y) { everyone<<<1, 128>>>(f(x), f(y)); }
__global__ void branch(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage temp;
  if (threadIdx.x >= 96) return;
  y[0] = Reduce(temp).Sum(x[threadIdx.x]);
}
void left(torch::Tensor x, torch::Tensor y) { branch<<<1, 128>>>(f(x), f(y)); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("stats", &stats);
  m.def("norm", &normalise);
  m.def("dynamic", &dynamic);
  m.def("arg", &arg);
  m.def("running", &running);
  m.def("scan", &scan);
  m.def("warp", &warp);
  m.def("sort", &sort);
  m.def("shuffle", &shuffle);
  m.def("whole", &whole);
  m.def("segments", &segments);
  m.def("little", &little);
  m.def("too_many", &too_many);
  m.def("reused", &reused);
  m.def("other_size", &other_size);
  m.def("all_threads", &all_threads);
  m.def("left", &left);
}
