// Times the scan kernels over their template settings, without PyTorch.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o /tmp/scan benchmarks/kernels/scan.cu && /tmp/scan
//
// Needs 8.6 GB of device memory. Prints per run: milliseconds (median of 20 after 3 warm-ups), the ratio to
// the floor (one read and one write of every element at PEAK_TB_S), the bandwidth those bytes were moved
// at, and the largest relative error of a few slices against a double sum on the host.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "../../src/cudasmith/ops/scan/fast.cu"

constexpr double PEAK_TB_S = 4.22;  // read and write, measured on an NVIDIA H200

#define CHECK(call)                                                              \
  do {                                                                           \
    const cudaError_t status = (call);                                           \
    if (status != cudaSuccess) {                                                 \
      std::printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

template <int N>
struct alignas(4 * N) Floats {
  float at[N];
};

struct LoadFloats {
  using value = float;
  const float* __restrict__ x;  // [n]
  __device__ value operator()(int64_t i) const { return __ldg(x + i); }
  template <int N>
  __device__ void pack(int64_t i, value (&v)[N]) const {
    const auto packed = *reinterpret_cast<const Floats<N>*>(x + i);
#pragma unroll
    for (int k = 0; k < N; ++k) v[k] = packed.at[k];
  }
};

struct StoreFloats {
  using value = float;
  float* __restrict__ out;  // [n]
  __device__ void operator()(int64_t i, value v) const { out[i] = v; }
  template <int N>
  __device__ void pack(int64_t i, const value (&v)[N]) const {
    Floats<N> packed;
#pragma unroll
    for (int k = 0; k < N; ++k) packed.at[k] = v[k];
    *reinterpret_cast<Floats<N>*>(out + i) = packed;
  }
};

using Sum = SumOp<float>;

struct Room {
  float* x;       // [2^30]
  float* out;     // [2^30]
  float* totals;  // [2^24]
  int sms;
};

__global__ void fill_thread_per_element(float* x, int64_t n) {  // [n], uniform in [0, 1)
  const int64_t i = (static_cast<int64_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  if (i >= n) return;
  uint32_t h = static_cast<uint32_t>(i) * 2654435761u;
  h = (h ^ (h >> 15)) * 2246822519u;
  h = (h ^ (h >> 13)) * 3266489917u;
  x[i] = static_cast<float>((h ^ (h >> 16)) >> 8) / 16777216.0f;
}

// Largest relative error of `slice`, whose elements lie `inner` apart, against a sum in double.
double error_of(const Room& room, const ScanShape& shape, int64_t slice, bool reverse, bool exclusive) {
  const int64_t length = shape.in_length;
  const int64_t base = ((slice / shape.inner) * length * shape.inner) + (slice % shape.inner);
  std::vector<float> x(length), out(length);
  for (auto [to, from] : {std::pair{x.data(), room.x}, std::pair{out.data(), room.out}}) {
    CHECK(cudaMemcpy2D(to, 4, from + base, 4 * shape.inner, 4, length, cudaMemcpyDeviceToHost));
  }
  double sum = 0, worst = 0;
  for (int64_t step = 0; step < length; ++step) {
    const int64_t k = reverse ? length - 1 - step : step;
    const double wanted = exclusive ? sum : sum + x[k];
    worst = std::max(worst, std::abs(out[k] - wanted) / std::max(1.0, wanted));
    sum += x[k];
  }
  return worst;
}

void report(const char* name, const Room& room, const ScanShape& shape, bool reverse, bool exclusive,
            const std::function<void()>& run) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaMemset(room.out, 0xff, shape.slices * shape.in_length * 4));
  std::vector<float> times;
  for (int i = 0; i < 23; ++i) {
    CHECK(cudaEventRecord(start));
    run();
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaGetLastError());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    if (i >= 3) times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  const double ms = times[times.size() / 2], bytes = 8.0 * shape.slices * shape.in_length;
  double worst = 0;
  for (int64_t slice : {int64_t{0}, shape.slices / 3, shape.slices - 1}) {
    worst = std::max(worst, error_of(room, shape, slice, reverse, exclusive));
  }
  std::printf("%-58s %8.3f ms  x%5.2f  %5.2f TB/s  error %.1e%s\n", name, ms, ms * PEAK_TB_S * 1e9 / bytes,
              bytes / ms / 1e9, worst, worst < 1e-4 ? "" : "  WRONG");
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}

template <bool Reverse, bool Exclusive, int WARPS, int PACKS, int N>
void block_per_row(const char* what, const Room& room, int64_t slices, int64_t length) {
  ScanShape shape{slices, length, length, 1, 1, length};
  if (slices < 2 * room.sms) shape.split(32 * WARPS * PACKS * N, (8 * room.sms) / slices);
  char name[160];
  std::snprintf(name, sizeof name, "%s block_per_row<%d warps, %d x %d> %d chunks", what, WARPS, PACKS, N,
                static_cast<int>(shape.chunks));
  const LoadFloats load{room.x};
  const StoreFloats store{room.out};
  report(name, room, shape, Reverse, Exclusive, [&] {
    const int64_t blocks = slices * shape.chunks;
    if (shape.chunks > 1) {
      scan_block_per_row<Reverse, Exclusive, true, WARPS, PACKS, N>
          <<<blocks, 32 * WARPS>>>(Sum{}, load, store, shape, N > 1, room.totals);
    }
    scan_block_per_row<Reverse, Exclusive, false, WARPS, PACKS, N>
        <<<blocks, 32 * WARPS>>>(Sum{}, load, store, shape, N > 1, room.totals);
  });
}

template <int PACKS, int N>
void warp_per_row(const char* what, const Room& room, int64_t slices, int64_t length) {
  const ScanShape shape{slices, length, length, 1, 1, length};
  char name[160];
  std::snprintf(name, sizeof name, "%s warp_per_row<%d x %d>", what, PACKS, N);
  report(name, room, shape, false, false, [&] {
    scan_warp_per_row<false, false, PACKS, N><<<(slices + 7) / 8, 256>>>(Sum{}, LoadFloats{room.x},
                                                                        StoreFloats{room.out}, shape, N > 1);
  });
}

template <int PACKS, int N>
void lanes_per_row(const char* what, const Room& room, int64_t slices, int64_t length) {
  const ScanShape shape{slices, length, length, 1, 1, length};
  int width = 1;
  while (width * N < length) width *= 2;
  const int64_t rows = 8 * PACKS * (32 / width);
  char name[160];
  std::snprintf(name, sizeof name, "%s lanes_per_row<%d x %d> %d lanes", what, PACKS, N, width);
  report(name, room, shape, false, false, [&] {
    scan_lanes_per_row<false, false, PACKS, N><<<(slices + rows - 1) / rows, 256>>>(
        Sum{}, LoadFloats{room.x}, StoreFloats{room.out}, shape, width, N > 1);
  });
}

template <bool Reverse, int WARPS, int ROWS>
void block_per_columns(const char* what, const Room& room, int64_t outer, int64_t length, int64_t inner) {
  const int64_t groups = ((outer * inner) + 31) / 32;
  ScanShape shape{outer * inner, length, length, inner, 1, length};
  if (groups < 2 * room.sms) shape.split(WARPS * ROWS, (8 * room.sms) / groups);
  char name[160];
  std::snprintf(name, sizeof name, "%s block_per_columns<%d warps, %d> %d chunks", what, WARPS, ROWS,
                static_cast<int>(shape.chunks));
  const LoadFloats load{room.x};
  const StoreFloats store{room.out};
  report(name, room, shape, Reverse, false, [&] {
    const int64_t blocks = groups * shape.chunks;
    if (shape.chunks > 1) {
      scan_block_per_columns<Reverse, false, true, WARPS, ROWS>
          <<<blocks, 32 * WARPS>>>(Sum{}, load, store, shape, room.totals);
    }
    scan_block_per_columns<Reverse, false, false, WARPS, ROWS>
        <<<blocks, 32 * WARPS>>>(Sum{}, load, store, shape, room.totals);
  });
}

template <int ROWS>
void thread_per_column(const char* what, const Room& room, int64_t outer, int64_t length, int64_t inner) {
  const ScanShape shape{outer * inner, length, length, inner, 1, length};
  char name[160];
  std::snprintf(name, sizeof name, "%s thread_per_column<%d>", what, ROWS);
  report(name, room, shape, false, false, [&] {
    scan_thread_per_column<false, false, ROWS>
        <<<((outer * inner) + 255) / 256, 256>>>(Sum{}, LoadFloats{room.x}, StoreFloats{room.out}, shape);
  });
}

void square_rows(const Room& room) {
  constexpr int64_t n = 32768;
  block_per_row<false, false, 4, 2, 4>("32768^2 rows", room, n, n);
  block_per_row<false, false, 4, 4, 4>("32768^2 rows", room, n, n);
  block_per_row<false, false, 8, 1, 4>("32768^2 rows", room, n, n);
  block_per_row<false, false, 8, 2, 4>("32768^2 rows", room, n, n);
  block_per_row<false, false, 8, 3, 4>("32768^2 rows", room, n, n);
  block_per_row<false, false, 8, 4, 4>("32768^2 rows", room, n, n);
  block_per_row<false, false, 16, 2, 4>("32768^2 rows", room, n, n);
  block_per_row<false, false, 16, 4, 4>("32768^2 rows", room, n, n);
  block_per_row<false, false, 8, 8, 1>("32768^2 rows, one by one", room, n, n);
  block_per_row<true, false, 8, 2, 4>("32768^2 rows, reverse", room, n, n);
  block_per_row<true, false, 8, 4, 4>("32768^2 rows, reverse", room, n, n);
  block_per_row<false, true, 8, 2, 4>("32768^2 rows, exclusive", room, n, n);
  block_per_row<false, true, 8, 4, 4>("32768^2 rows, exclusive", room, n, n);
  warp_per_row<2, 4>("32768^2 rows", room, n, n);
  warp_per_row<4, 4>("32768^2 rows", room, n, n);
}

void short_rows(const Room& room) {
  constexpr int64_t n = int64_t{1} << 29;
  lanes_per_row<1, 4>("2^22 x 128", room, n / 128, 128);
  lanes_per_row<2, 4>("2^22 x 128", room, n / 128, 128);
  lanes_per_row<4, 4>("2^22 x 128", room, n / 128, 128);
  lanes_per_row<4, 4>("2^25 x 16", room, n / 16, 16);
  lanes_per_row<4, 1>("31-long", room, n / 31, 31);
  warp_per_row<8, 1>("127-long", room, n / 127, 127);
  warp_per_row<4, 4>("2^19 x 1024", room, n / 1024, 1024);
  warp_per_row<2, 4>("2^19 x 1024", room, n / 1024, 1024);
  warp_per_row<4, 4>("2^17 x 4096", room, n / 4096, 4096);
  block_per_row<false, false, 8, 4, 4>("2^17 x 4096", room, n / 4096, 4096);
  block_per_row<false, false, 8, 2, 4>("2^17 x 4096", room, n / 4096, 4096);
}

void long_rows(const Room& room) {
  constexpr int64_t n = int64_t{1} << 24;
  block_per_row<false, false, 8, 2, 4>("16 x 2^24", room, 16, n);
  block_per_row<false, false, 8, 4, 4>("16 x 2^24", room, 16, n);
  block_per_row<false, false, 8, 4, 4>("256 x 2^21", room, 256, n / 8);
  block_per_columns<false, 8, 16>("2^24 x 16, dim 0", room, 1, n, 16);
}

void columns(const Room& room) {
  constexpr int64_t n = 32768;
  block_per_columns<false, 8, 8>("32768^2, dim 0", room, 1, n, n);
  block_per_columns<false, 8, 16>("32768^2, dim 0", room, 1, n, n);
  block_per_columns<false, 16, 8>("32768^2, dim 0", room, 1, n, n);
  block_per_columns<false, 16, 16>("32768^2, dim 0", room, 1, n, n);
  block_per_columns<false, 32, 8>("32768^2, dim 0", room, 1, n, n);
  block_per_columns<true, 8, 16>("32768^2, dim 0, reverse", room, 1, n, n);
  thread_per_column<8>("32768^2, dim 0", room, 1, n, n);
  thread_per_column<16>("32768^2, dim 0", room, 1, n, n);
  thread_per_column<4>("64 x 64 x 2^17, dim 1", room, 64, 64, int64_t{1} << 17);
  thread_per_column<8>("64 x 64 x 2^17, dim 1", room, 64, 64, int64_t{1} << 17);
  block_per_columns<false, 8, 16>("4096 x 4096 x 7, dim 1", room, 4096, 4096, 7);
}

int main() {
  Room room{};
  const int64_t n = int64_t{1} << 30;
  CHECK(cudaMalloc(&room.x, n * 4));
  CHECK(cudaMalloc(&room.out, n * 4));
  CHECK(cudaMalloc(&room.totals, (int64_t{1} << 24) * 4));
  CHECK(cudaDeviceGetAttribute(&room.sms, cudaDevAttrMultiProcessorCount, 0));
  fill_thread_per_element<<<n / 256, 256>>>(room.x, n);
  CHECK(cudaDeviceSynchronize());
  square_rows(room);
  columns(room);
  short_rows(room);
  long_rows(room);
  return 0;
}
