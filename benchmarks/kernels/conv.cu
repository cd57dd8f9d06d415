// Times the convolution kernels of both tiers at full problem sizes, without PyTorch.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -o /tmp/conv benchmarks/kernels/conv.cu && /tmp/conv
//
// Needs 14 GB of device memory. Prints per problem and kernel: milliseconds (median of 5 after one warm-up),
// TFLOP/s, and the largest error of 200 outputs against a double sum on the host, relative to the sum of
// the absolute products.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "../../src/cudasmith/ops/conv/fast.cu"

#define CHECK(call)                                                              \
  do {                                                                           \
    const cudaError_t status = (call);                                           \
    if (status != cudaSuccess) {                                                 \
      std::printf("%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

struct LoadFloats {
  using value = float;
  const float* __restrict__ x;  // [n]
  __device__ value operator()(int64_t i) const { return __ldg(x + i); }
};

struct StoreFloats {
  using value = float;
  float* __restrict__ out;  // [n]
  __device__ void operator()(int64_t i, value v) const { out[i] = v; }
};

// Element i of tensor `seed`: uniform in [-1, 1), the same on host and device.
__host__ __device__ float element(uint32_t seed, int64_t i) {
  uint64_t z = (static_cast<uint64_t>(seed) << 40) + static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z ^= z >> 27;
  return static_cast<float>(z & 0xffffff) / 8388608.0f - 1.0f;
}

__global__ void fill_thread_per_element(float* x, uint32_t seed, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) x[i] = element(seed, i);
}

struct Problem {
  const char* name;
  bool transposed;
  ConvShape s;

  int64_t spatial(const int64_t (&size)[3]) const { return size[0] * size[1] * size[2]; }
  int64_t x() const { return s.batch * s.in_channels * spatial(s.in); }
  int64_t weight() const { return s.in_channels * s.out_channels / s.groups * spatial(s.kernel); }
  int64_t out() const { return s.batch * s.out_channels * spatial(s.out); }
  double flops() const { return 2.0 * weight() * s.batch * spatial(transposed ? s.in : s.out); }
};

// Fills in the output sizes.
Problem problem(const char* name, bool transposed, ConvShape s) {
  for (int x = 0; x < 3; ++x) {
    const int64_t reach = s.dilation[x] * (s.kernel[x] - 1), pad = 2 * s.padding[x];
    s.out[x] = transposed ? (s.in[x] - 1) * s.stride[x] - pad + reach + 1 : (s.in[x] + pad - reach - 1) / s.stride[x] + 1;
  }
  return {name, transposed, s};
}

// Output i in double; `scale` gets the sum of the absolute products.
double expected(const Problem& p, int64_t i, double& scale) {
  const ConvShape& s = p.s;
  const int64_t o[3] = {i / s.out[2] / s.out[1] % s.out[0], i / s.out[2] % s.out[1], i % s.out[2]};
  const int64_t map = i / p.spatial(s.out), oc = map % s.out_channels, image = map / s.out_channels;
  const int64_t ins = s.in_channels / s.groups, outs = s.out_channels / s.groups, group = oc / outs;
  double sum = 0;
  for (int64_t k = 0; k < p.spatial(s.kernel); ++k) {
    const int64_t tap[3] = {k / s.kernel[2] / s.kernel[1], k / s.kernel[2] % s.kernel[1], k % s.kernel[2]};
    int64_t at = 0;
    bool inside = true;
    for (int x = 0; x < 3; ++x) {
      int64_t q = p.transposed ? o[x] + s.padding[x] - tap[x] * s.dilation[x]
                               : o[x] * s.stride[x] - s.padding[x] + tap[x] * s.dilation[x];
      inside = inside && q >= 0 && (!p.transposed || q % s.stride[x] == 0);
      if (p.transposed) q /= s.stride[x];
      inside = inside && q < s.in[x];
      at = at * s.in[x] + q;
    }
    for (int64_t c = 0; inside && c < ins; ++c) {
      const int64_t row = p.transposed ? (group * ins + c) * outs + oc % outs : oc * ins + c;
      const double x = element(1, (image * s.in_channels + group * ins + c) * p.spatial(s.in) + at);
      const double product = x * element(2, row * p.spatial(s.kernel) + k);
      sum += product;
      scale += std::abs(product);
    }
  }
  return sum;
}

struct Buffers {
  float *x, *weight, *out;
  LoadFloats load() const { return {x}; }
  LoadFloats weights() const { return {weight}; }
  StoreFloats store() const { return {out}; }
};

double worst_error(const Problem& p, const Buffers& b) {
  double worst = 0;
  for (int64_t sample = 0; sample < 200; ++sample) {
    const int64_t i = sample == 0 ? p.out() - 1 : (sample * 0x9e3779b97f4a7c15ull >> 1) % p.out();
    float got;
    CHECK(cudaMemcpy(&got, b.out + i, sizeof(float), cudaMemcpyDeviceToHost));
    double scale = 1e-30;
    const double want = expected(p, i, scale), error = std::abs(got - want) / scale;
    worst = std::isnan(got) ? INFINITY : std::max(worst, error);
  }
  return worst;
}

using Launch = std::function<void(const Problem&, const Buffers&)>;

void report(const Problem& p, const char* kernel, const Buffers& b, const Launch& launch) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaMemset(b.out, 0xff, p.out() * sizeof(float)));
  std::vector<float> ms;
  for (int run = 0; run < 6; ++run) {
    CHECK(cudaEventRecord(start));
    launch(p, b);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float took;
    CHECK(cudaEventElapsedTime(&took, start, stop));
    if (run > 0) ms.push_back(took);
  }
  std::sort(ms.begin(), ms.end());
  const double tflops = p.flops() / ms[2] * 1e-9, error = worst_error(p, b);
  std::printf("%-36s %-34s %9.3f ms %7.2f TFLOP/s  error %.1e%s\n", p.name, kernel, ms[2], tflops, error,
              error < 1e-5 ? "" : "  WRONG");
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}

template <typename index_t>
void direct(const Problem& p, const Buffers& b) {
  const auto kernel = p.transposed ? conv_transpose_thread_per_output<index_t, LoadFloats, StoreFloats>
                                   : conv_thread_per_output<index_t, LoadFloats, StoreFloats>;
  kernel<<<(p.out() + 255) / 256, 256>>>(b.load(), b.weights(), LoadFloats{nullptr}, b.store(), p.s, p.out());
}

template <int BN, int TM, int TAPS, bool BOUNDED, bool TRANSPOSED, typename index_t>
void tile(const Problem& p, const Buffers& b) {
  constexpr int64_t BM = TM * 2048 / BN;
  int64_t positions = p.s.batch, phases = 1;
  for (int x = 0; x < 3; ++x) {
    const int64_t stride = TRANSPOSED ? p.s.stride[x] : 1;
    positions *= (p.s.out[x] + stride - 1) / stride;
    phases *= stride;
  }
  const int64_t tiles = (positions + BM - 1) / BM, columns = (p.s.out_channels / p.s.groups + BN - 1) / BN;
  conv_block_per_tile<BN, TM, TAPS, BOUNDED, TRANSPOSED, index_t><<<tiles * phases * p.s.groups * columns, 256>>>(
      b.load(), b.weights(), LoadFloats{nullptr}, b.store(), p.s, tiles);
}

template <int KH, int KW, int TH>
void depthwise(const Problem& p, const Buffers& b) {
  const int64_t threads = p.out() / p.s.out[1] * ((p.s.out[1] + TH - 1) / TH);
  conv_depthwise_thread_per_column<KH, KW, 1, 1, TH, int><<<(threads + 255) / 256, 256>>>(
      b.load(), b.weights(), LoadFloats{nullptr}, b.store(), p.s, threads);
}

void compare(const Problem& p, const char* name, const Launch& fast, const Launch& minimal = direct<int>) {
  Buffers b;
  CHECK(cudaMalloc(&b.x, p.x() * sizeof(float)));
  CHECK(cudaMalloc(&b.weight, p.weight() * sizeof(float)));
  CHECK(cudaMalloc(&b.out, p.out() * sizeof(float)));
  fill_thread_per_element<<<(p.x() + 255) / 256, 256>>>(b.x, 1, p.x());
  fill_thread_per_element<<<(p.weight() + 255) / 256, 256>>>(b.weight, 2, p.weight());
  report(p, p.transposed ? "conv_transpose_thread_per_output" : "conv_thread_per_output", b, minimal);
  report(p, name, b, fast);
  for (float* pointer : {b.x, b.weight, b.out}) CHECK(cudaFree(pointer));
}

int main() {
  const char *tiled = "conv_block_per_tile", *columns = "conv_depthwise_thread_per_column";
  compare(problem("2-d 3->96 11x11 stride 4", false,
                  {256, 3, 96, 1, 0, {1, 224, 224}, {}, {1, 11, 11}, {1, 4, 4}, {0, 2, 2}, {1, 1, 1}}),
          tiled, tile<128, 8, 121, true, false, int>);
  compare(problem("3-d 3->64 3x3x3", false,
                  {16, 3, 64, 1, 0, {64, 64, 64}, {}, {3, 3, 3}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}}),
          tiled, tile<64, 8, 27, false, false, int>);
  compare(problem("2-d transposed 64->64 3x3", true,
                  {8, 64, 64, 1, 0, {1, 1024, 1024}, {}, {1, 3, 3}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}}),
          tiled, tile<64, 8, 9, true, true, int>);
  compare(problem("3-d transposed 48->48 3x3x3", true,
                  {8, 48, 48, 1, 0, {64, 64, 64}, {}, {3, 3, 3}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}}),
          tiled, tile<64, 8, 27, true, true, int>);
  compare(problem("2-d 16->128 3x3", false,
                  {16, 16, 128, 1, 0, {1, 1024, 1024}, {}, {1, 3, 3}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}}),
          tiled, tile<128, 8, 9, false, false, int>);
  compare(problem("1-d 64->128 3", false,
                  {32, 64, 128, 1, 0, {1, 1, 131072}, {}, {1, 1, 3}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}}),
          tiled, tile<128, 8, 3, false, false, int>);
  compare(problem("3-d transposed 32->32 3x3x3 stride 2", true,
                  {4, 32, 32, 1, 0, {32, 64, 128}, {}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}}),
          tiled, tile<32, 8, 27, true, true, int>);
  compare(problem("2-d transposed 32->64 4 groups 3x5", true,
                  {16, 32, 64, 4, 0, {1, 128, 256}, {}, {1, 3, 5}, {1, 2, 3}, {0, 1, 2}, {1, 2, 1}}),
          tiled, tile<16, 4, 15, true, true, int>);
  compare(problem("2-d depthwise 64 3x3", false,
                  {16, 64, 64, 64, 0, {1, 512, 512}, {}, {1, 3, 3}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}}),
          columns, depthwise<3, 3, 4>);
  compare(problem("2-d pointwise 64->128", false,
                  {16, 64, 128, 1, 0, {1, 1024, 1024}, {}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}}),
          tiled, tile<128, 8, 1, false, false, int64_t>, direct<int64_t>);
}
