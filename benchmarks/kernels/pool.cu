// Times the fast pooling kernels at the full size of six problems and checks a sample of their outputs.
//   nvcc -O3 -arch=sm_90 -o /tmp/pool benchmarks/kernels/pool.cu && /tmp/pool
// Each line: problem, kernel and setting (R rows per group, ITEMS packs per thread, MOST threads), median
// of 20 launches after 3 warm-ups, ratio to the time that one read and one write take at 4.22 TB/s.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../src/cudasmith/ops/pool/quads.cu"
#include "../../src/cudasmith/ops/pool/tiles.cu"
#include "../../src/cudasmith/ops/pool/minimal.cu"

#define CHECK(call)                                                                  \
  do {                                                                               \
    const cudaError_t e = (call);                                                    \
    if (e != cudaSuccess) {                                                          \
      std::printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e));          \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (0)

template <int N>
struct alignas(N * 4 < 16 ? N * 4 : 16) Floats {
  float at[N];
};

struct Load {
  using value = float;
  const float* __restrict__ x;
  __device__ value operator()(int64_t i) const { return __ldg(x + i); }
  template <int N>
  __device__ void pack(int64_t i, value (&v)[N]) const {
    const auto p = *reinterpret_cast<const Floats<N>*>(x + i);
#pragma unroll
    for (int k = 0; k < N; ++k) v[k] = p.at[k];
  }
};

struct Store {
  using value = float;
  float* __restrict__ out;
  __device__ void operator()(int64_t i, value v) const { out[i] = v; }
  template <int N>
  __device__ void pack(int64_t i, const value (&v)[N]) const {
    Floats<N> p;
#pragma unroll
    for (int k = 0; k < N; ++k) p.at[k] = v[k];
    *reinterpret_cast<Floats<N>*>(out + i) = p;
  }
};

__host__ __device__ inline float element(int64_t i) {
  uint64_t h = static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15ull;
  h ^= h >> 29;
  return static_cast<float>((h * 0xbf58476d1ce4e5b9ull) >> 40) * (1.0f / 16777216.0f) - 0.5f;
}

__global__ void fill(float* x, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) x[i] = element(i);
}

struct Axis {
  int kernel, stride, padding, step;
};

template <typename W>
Axis axis() {
  return {W::kernel, W::stride, W::padding, W::step};
}

// One output on the host, in double.
double expected(const PoolShape& s, const Axis (&axes)[3], bool mean, int64_t i) {
  const int64_t x = i % s.out[2], y = i / s.out[2] % s.out[1], z = i / (s.out[2] * s.out[1]) % s.out[0];
  const int64_t plane = i / (s.out[2] * s.out[1] * s.out[0]);
  double best = -INFINITY, sum = 0;
  for (int a = 0; a < axes[0].kernel; ++a)
    for (int b = 0; b < axes[1].kernel; ++b)
      for (int c = 0; c < axes[2].kernel; ++c) {
        const int64_t d = z * axes[0].stride - axes[0].padding + a * axes[0].step;
        const int64_t h = y * axes[1].stride - axes[1].padding + b * axes[1].step;
        const int64_t w = x * axes[2].stride - axes[2].padding + c * axes[2].step;
        if (d < 0 || h < 0 || w < 0 || d >= s.in[0] || h >= s.in[1] || w >= s.in[2]) continue;
        const double v = element(((plane * s.in[0] + d) * s.in[1] + h) * s.in[2] + w);
        best = std::max(best, v);
        sum += v;
      }
  return mean ? sum / (axes[0].kernel * axes[1].kernel * axes[2].kernel) : best;
}

struct Bench {
  float *x = nullptr, *out = nullptr;
  std::vector<float> room;

  Bench() {
    CHECK(cudaMalloc(&x, int64_t{4294967296} * 4));
    CHECK(cudaMalloc(&out, int64_t{805306368} * 4 + 4096));
    fill<<<132 * 16, 256>>>(x, int64_t{4294967296});
    CHECK(cudaDeviceSynchronize());
  }

  int wrong(const PoolShape& s, const Axis (&axes)[3], bool mean, int64_t n) {
    int bad = 0;
    for (int k = 0; k < 4000; ++k) {
      int64_t i = static_cast<int64_t>((static_cast<uint64_t>(k) * 0x9e3779b97f4a7c15ull) % static_cast<uint64_t>(n));
      if (k < 300) i = k;                      // the first rows
      if (k >= 300 && k < 600) i = n - 1 - (k - 300);  // the last rows
      float got;
      CHECK(cudaMemcpy(&got, out + i, 4, cudaMemcpyDeviceToHost));
      const double want = expected(s, axes, mean, i);
      if (!(std::fabs(got - want) <= (mean ? 1e-6 : 0))) {
        if (bad++ == 0) std::printf("  first wrong: [%lld] %.9g, expected %.9g\n", static_cast<long long>(i), got, want);
      }
    }
    return bad;
  }

  template <typename Launch>
  void time(const char* problem, const char* setting, double floor, const PoolShape& s, const Axis (&axes)[3], bool mean,
            const Launch& launch) {
    const int64_t n = s.planes * s.out[0] * s.out[1] * s.out[2];
    CHECK(cudaMemset(out, 0xff, n * 4));
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    std::vector<float> ms;
    for (int k = 0; k < 23; ++k) {
      CHECK(cudaEventRecord(a));
      launch();
      CHECK(cudaEventRecord(b));
      CHECK(cudaEventSynchronize(b));
      CHECK(cudaGetLastError());
      float t;
      CHECK(cudaEventElapsedTime(&t, a, b));
      if (k >= 3) ms.push_back(t);
    }
    std::sort(ms.begin(), ms.end());
    const int bad = wrong(s, axes, mean, n);
    std::printf("%s  %-34s %8.3f ms  %5.2f x floor %.3f  %s\n", problem, setting, ms[10], ms[10] / floor, floor,
                bad == 0 ? "ok" : "WRONG");
    std::fflush(stdout);
  }
};

template <typename Z, typename Y, typename X, typename Op>
struct Problem {
  Bench& bench;
  const char* name;
  double floor;
  bool mean;
  PoolShape shape;
  Axis axes[3];

  Problem(Bench& b, const char* n, double f, bool m, int64_t planes, int64_t d, int64_t h, int64_t w)
      : bench(b), name(n), floor(f), mean(m), shape{planes, {d, h, w}, {Z::outputs(d), Y::outputs(h), X::outputs(w)}},
        axes{axis<Z>(), axis<Y>(), axis<X>()} {}

  template <int R, int N, int ITEMS, int MOST>
  void rows() {
    const PoolTiles t = pool_tiles<X, R, N, ITEMS, MOST>(shape);
    const size_t shared = t.shared(R) * sizeof(float);
    const auto kernel = pool_block_per_rows<Z, Y, X, R, N, ITEMS, Op, Load, Store>;
    if (shared > 48 * 1024) {
      CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
    }
    cudaFuncAttributes attr;
    CHECK(cudaFuncGetAttributes(&attr, kernel));
    int per_sm = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, t.threads, shared));
    char text[160];
    std::snprintf(text, sizeof text, "rows R%d N%d I%d M%d [%dt %dg %dw %.0fK %dr %dB/SM]", R, N, ITEMS, MOST, t.threads,
                  t.per_block, t.width, shared / 1024.0, attr.numRegs, per_sm);
    bench.time(name, text, floor, shape, axes, mean, [&] {
      kernel<<<t.blocks(), t.threads, shared>>>(Op{}, Load{bench.x}, Store{bench.out}, shape, t);
    });
  }

  template <int R, int N, int THREADS>
  void quads() {
    const PoolQuads q = pool_quads<R>(shape);
    const auto kernel = pool_thread_per_quads<Z, Y, X, R, N, THREADS, Op, Load, Store>;
    cudaFuncAttributes attr;
    CHECK(cudaFuncGetAttributes(&attr, kernel));
    char text[160];
    std::snprintf(text, sizeof text, "quads R%d N%d T%d [%d lanes %dr]", R, N, THREADS, q.lanes, attr.numRegs);
    bench.time(name, text, floor, shape, axes, mean, [&] {
      kernel<<<q.blocks(THREADS), THREADS>>>(Op{}, Load{bench.x}, Store{bench.out}, shape, q, shape.out[2] % 4 == 0);
    });
  }

  void single() {
    const int64_t n = shape.planes * shape.out[0] * shape.out[1] * shape.out[2];
    PoolBox box;
    for (int d = 0; d < 3; ++d) {
      box.in[d] = shape.in[d], box.out[d] = shape.out[d];
      box.extent[d] = ((axes[d].kernel - 1) * axes[d].step) + 1, box.stride[d] = axes[d].stride;
      box.padding[d] = axes[d].padding, box.dilation[d] = axes[d].step;
    }
    bench.time(name, "thread_per_output", floor, shape, axes, mean, [&] {
      pool_thread_per_output<<<(n + 255) / 256, 256>>>(Op{}, Load{bench.x}, Store{bench.out}, box, n);
    });
  }
};

using One = Window<1, 1, 0, 1, false>;

void lines(Bench& b) {
  Problem<One, One, Window<8, 1, 4, 3, false>, MaxOp<float>> p41(b, "41 max1d", 1.526, false, 1, 1, 64 * 192, 65536);
  p41.rows<1, 4, 2, 128>();
  p41.quads<1, 4, 128>();
  p41.quads<2, 4, 128>();
  p41.quads<3, 4, 128>();
  p41.quads<4, 4, 128>();
  p41.single();
  Problem<One, One, Window<8, 1, 4, 1, false>, MeanOp<float, true, 8>> p44(b, "44 avg1d", 1.018, true, 1, 1, 64 * 128, 65536);
  p44.rows<1, 4, 2, 128>();
  p44.quads<1, 4, 128>();
  p44.quads<2, 4, 128>();
  p44.quads<3, 4, 128>();
  p44.quads<4, 4, 128>();
  p44.single();
}

void planes(Bench& b) {
  using W4 = Window<4, 1, 1, 1, false>;
  Problem<One, W4, W4, MaxOp<float>> p42(b, "42 max2d", 1.016, false, 32 * 64, 1, 512, 512);
  p42.rows<4, 4, 1, 256>();
  p42.quads<1, 4, 256>();
  p42.quads<2, 4, 256>();
  p42.quads<4, 4, 128>();
  p42.quads<4, 4, 256>();
  p42.quads<8, 4, 256>();
  p42.single();
  using W11 = Window<11, 11, 0, 1, false>;
  Problem<One, W11, W11, MeanOp<float, true, 121>> p45(b, "45 avg2d", 4.105, true, 16 * 64, 1, 2048, 2048);
  p45.rows<1, 4, 1, 256>();
  p45.rows<2, 4, 1, 256>();
  p45.single();
}

void volumes(Bench& b) {
  using D3 = Window<3, 2, 1, 3, false>;
  Problem<D3, D3, D3, MaxOp<float>> p43(b, "43 max3d", 1.133, false, 16 * 32, 128, 128, 128);
  p43.rows<2, 4, 2, 128>();
  p43.quads<1, 4, 256>();
  p43.quads<2, 4, 256>();
  p43.quads<4, 4, 256>();
  p43.single();
  using W3 = Window<3, 2, 1, 1, false>;
  Problem<W3, W3, W3, MeanOp<float, true, 27>> p46(b, "46 avg3d", 2.290, true, 16 * 32, 128, 128, 256);
  p46.rows<2, 4, 1, 256>();
  p46.quads<1, 4, 256>();
  p46.quads<2, 4, 256>();
  p46.quads<4, 4, 128>();
  p46.quads<4, 4, 256>();
  p46.single();
}

int main() {
  Bench bench;
  lines(bench);
  planes(bench);
  volumes(bench);
  return 0;
}
