#include "minimal.cu"
// ---- chunk
template <typename index_t>
__device__ index_t take_digit(index_t& i, index_t extent) {  // i % extent; i becomes i / extent
  const bool narrow = i <= 0x7fffffff && extent <= 0x7fffffff;  // 32-bit division is several times faster
  const index_t rest = narrow ? static_cast<uint32_t>(i) / static_cast<uint32_t>(extent) : i / extent;
  const index_t digit = i - rest * extent;
  i = rest;
  return digit;
}
// ---- chunk
// Output positions that share their taps: all of them; transposed, those with one residue of the stride.
// Position q of a phase is output q * stride + residue (plain: output q) and reads, for each tap, input
// q * step + offset.
template <bool TRANSPOSED, typename index_t>
struct ConvPhase {
  index_t size[3], residue[3];

  __device__ ConvPhase(const ConvShape& s, index_t number) {
#pragma unroll
    for (int x = 2; x >= 0; --x) {
      const index_t stride = s.stride[x], out = s.out[x];
      residue[x] = TRANSPOSED ? take_digit(number, stride) : 0;
      size[x] = TRANSPOSED ? (out - residue[x] + stride - 1) / stride : out;
    }
  }

  // Writes {depth, height, width offset, weight index} of every tap to table[n]; returns n.
  __device__ int list_taps(const ConvShape& s, int4* table) const {
    int first[3], gap[3], count[3];
    for (int x = 0; x < 3; ++x) {
      const int origin = residue[x] + s.padding[x], dilation = s.dilation[x], stride = s.stride[x];
      first[x] = gap[x] = count[x] = 0;
      for (int k = s.kernel[x] - 1; k >= 0; --k) {
        if (TRANSPOSED && (origin - k * dilation) % stride != 0) continue;  // no input lies there
        gap[x] = first[x] - k;
        first[x] = k;
        ++count[x];
      }
    }
    const int n = count[0] * count[1] * count[2], KH = s.kernel[1], KW = s.kernel[2];
    for (int t = threadIdx.x; t < n; t += blockDim.x) {
      const int kd = first[0] + t / (count[1] * count[2]) * gap[0];
      const int kh = first[1] + t / count[2] % count[1] * gap[1], kw = first[2] + t % count[2] * gap[2];
      table[t] = make_int4(offset(s, 0, kd), offset(s, 1, kh), offset(s, 2, kw), (kd * KH + kh) * KW + kw);
    }
    return n;
  }

  __device__ int offset(const ConvShape& s, int x, int k) const {
    const int reach = k * static_cast<int>(s.dilation[x]), padding = s.padding[x];
    if (!TRANSPOSED) return reach - padding;
    return (static_cast<int>(residue[x]) + padding - reach) / static_cast<int>(s.stride[x]);
  }
};
// ---- chunk
struct ConvStep {  // where a thread is in the flattened (channel, tap) loop
  int channel, tap, channels_on, taps_on, taps;

  __device__ ConvStep(int start, int stride, int n) : taps(n < 1 ? 1 : n) {
    channel = start / taps;
    tap = start % taps;
    channels_on = stride / taps;
    taps_on = stride % taps;
  }
  __device__ void advance() {
    channel += channels_on;
    tap += taps_on;
    if (tap >= taps) {
      tap -= taps;
      ++channel;
    }
  }
};
// ---- chunk
// One thread's share of the input tile [BK][BM]: POINTS positions in every ROWS-th row.
template <int BM, int BK, bool BOUNDED, bool TRANSPOSED, typename index_t>
struct ConvInput {
  static constexpr int POINTS = BM > 256 ? BM / 256 : 1, ROWS = BM < 256 ? 256 / BM : 1, DEPTH = BK / ROWS;
  index_t base[POINTS];
  int at[POINTS][3];  // one image has fewer than 2^31 positions
  ConvStep step;

  __device__ ConvInput(const ConvShape& s, const ConvPhase<TRANSPOSED, index_t>& phase, index_t group,
                       index_t start, index_t positions, int taps)
      : step(threadIdx.x / BM, ROWS, taps) {
#pragma unroll
    for (int p = 0; p < POINTS; ++p) {
      index_t rest = start + threadIdx.x % BM + p * 256;
      if (rest >= positions) rest = positions - 1;  // read something; it is not stored
#pragma unroll
      for (int x = 2; x >= 0; --x) {
        at[p][x] =
            static_cast<int>(take_digit(rest, phase.size[x])) * static_cast<int>(TRANSPOSED ? 1 : s.stride[x]);
      }
      const index_t ins = s.in_channels / s.groups, volume = s.in[0] * s.in[1] * s.in[2];
      base[p] = (rest * static_cast<index_t>(s.groups) + group) * ins * volume;
    }
  }

  template <typename Load, typename value>
  __device__ void fetch(const Load& load, const ConvShape& s, const int4* taps, int channels,
                        value (&v)[DEPTH][POINTS]) {
    const int D = s.in[0], H = s.in[1], W = s.in[2], volume = D * H * W;
#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      const bool some = step.channel < channels;
      const int4 tap = taps[step.tap];
#pragma unroll
      for (int p = 0; p < POINTS; ++p) {
        const int d = at[p][0] + tap.x, h = at[p][1] + tap.y, w = at[p][2] + tap.z;
        const bool inside = !BOUNDED || (d >= 0 && d < D && h >= 0 && h < H && w >= 0 && w < W);
        const index_t channel = base[p] + static_cast<index_t>(step.channel) * volume;
        v[i][p] = some && inside ? load(channel + ((d * H + h) * W + w)) : value(0);
      }
      step.advance();
    }
  }

  template <typename value>
  __device__ void stash(value (&a)[BK][BM], const value (&v)[DEPTH][POINTS]) const {
#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
#pragma unroll
      for (int p = 0; p < POINTS; ++p) a[threadIdx.x / BM + ROWS * i][threadIdx.x % BM + 256 * p] = v[i][p];
    }
  }
};
// ---- chunk
// One thread's share of the weight tile [BK][BN]: row threadIdx.x % BK, every (256 / BK)-th channel.
template <int BN, int BK, bool TRANSPOSED, typename index_t>
struct ConvWeight {
  static constexpr int LANES = 256 / BK, COUNT = (BN + LANES - 1) / LANES;
  index_t base, per_out, per_in;
  int outs;
  ConvStep step;

  __device__ ConvWeight(const ConvShape& s, index_t group, index_t first, int taps)
      : step(threadIdx.x % BK, BK, taps) {
    const index_t in = s.in_channels / s.groups, out = s.out_channels / s.groups;
    const index_t volume = s.kernel[0] * s.kernel[1] * s.kernel[2];
    per_out = TRANSPOSED ? volume : in * volume;
    per_in = TRANSPOSED ? out * volume : volume;
    base = group * in * out * volume + first * per_out;
    outs = out - first;
  }

  template <typename Load, typename value>
  __device__ void fetch(const Load& weight, const int4* taps, int channels, value (&v)[COUNT]) {
    const bool some = step.channel < channels;
    const index_t row = base + step.channel * per_in + taps[step.tap].w;
#pragma unroll
    for (int j = 0; j < COUNT; ++j) {
      const int n = threadIdx.x / BK + LANES * j;
      v[j] = some && n < outs ? weight(row + n * per_out) : value(0);
    }
    step.advance();
  }

  template <int PITCH, typename value>
  __device__ void stash(value (&b)[BK][PITCH], const value (&v)[COUNT]) const {
#pragma unroll
    for (int j = 0; j < COUNT; ++j) {
      const int n = threadIdx.x / BK + LANES * j;
      if (n < BN) b[threadIdx.x % BK][n] = v[j];
    }
  }
};
// ---- chunk
// acc += the product of two tiles: TM positions of this thread (BM / TM apart) by its 8 channels.
template <int BK, int BM, int TM, int PITCH, typename value>
__device__ void multiply_tile(const value (&a)[BK][BM], const value (&b)[BK][PITCH], int m, int n,
                              value (&acc)[TM][8]) {
#pragma unroll
  for (int k = 0; k < BK; ++k) {
    value x[TM], w[8];
#pragma unroll
    for (int i = 0; i < TM; ++i) x[i] = a[k][m + (BM / TM) * i];
#pragma unroll
    for (int j = 0; j < 8; ++j) w[j] = b[k][n + j];
#pragma unroll
    for (int i = 0; i < TM; ++i) {
#pragma unroll
      for (int j = 0; j < 8; ++j) acc[i][j] += x[i] * w[j];
    }
  }
}
// ---- chunk
// Writes a thread's TM positions by 8 channels, the bias added.
template <int BM, int TM, bool TRANSPOSED, typename index_t, typename Load, typename Store, typename value>
__device__ void store_tile(const Load& bias, const Store& store, const ConvShape& s,
                           const ConvPhase<TRANSPOSED, index_t>& phase, index_t position, index_t positions,
                           index_t channel, int channels, const value (&acc)[TM][8]) {
  const index_t volume = s.out[0] * s.out[1] * s.out[2];
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    index_t rest = position + (BM / TM) * i;
    int at = 0, scale = 1;
    if (rest >= positions) break;
#pragma unroll
    for (int x = 2; x >= 0; --x) {
      const int q = take_digit(rest, phase.size[x]);
      at += (TRANSPOSED ? q * static_cast<int>(s.stride[x]) + static_cast<int>(phase.residue[x]) : q) * scale;
      scale *= s.out[x];
    }
    const index_t first = (rest * static_cast<index_t>(s.out_channels) + channel) * volume + at;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      if (j < channels) store(first + j * volume, s.biased ? acc[i][j] + bias(channel + j) : acc[i][j]);
    }
  }
}
// ---- chunk
// Implicit matrix product, plain and transposed: a block of 256 threads computes BM = TM * 2048 / BN output
// positions by BN channels of one group; the loop over (channel, tap) goes BK = 8 at a time through shared
// memory, the next 8 being fetched meanwhile. A thread computes TM positions by 8 channels. Transposed: a
// block takes one residue of the stride, so that every tap it visits exists. Limited by multiply-adds: 2 *
// channels * taps flops per output. Shared: sizeof(value) * 8 * (BM + BN + 4) + 16 * TAPS bytes.
// Deterministic: one accumulator per output, in (channel, tap) order.
template <int BN, int TM, int TAPS, bool BOUNDED, bool TRANSPOSED, typename index_t, typename Load,
          typename Store>
__global__ void __launch_bounds__(256, sizeof(typename Load::value) + sizeof(index_t) > 8 ? 1 : 2)
    conv_block_per_tile(Load load, Load weight, Load bias, Store store, ConvShape s, int64_t tiles) {
  using value = typename Load::value;
  constexpr int BK = 8, BM = TM * 2048 / BN;
  __shared__ value a[BK][BM];
  __shared__ alignas(16) value b[BK][BN + 4];  // 4: the threads of one column write different banks
  __shared__ int4 taps[TAPS];

  index_t block = blockIdx.x;
  const index_t outs = s.out_channels / s.groups;
  const index_t first = take_digit(block, (outs + BN - 1) / BN) * BN,
                group = take_digit(block, static_cast<index_t>(s.groups));
  const index_t start = take_digit(block, static_cast<index_t>(tiles)) * BM;
  const ConvPhase<TRANSPOSED, index_t> phase(s, block);
  const index_t positions = s.batch * phase.size[0] * phase.size[1] * phase.size[2];
  if (start >= positions) return;
  const int count = phase.list_taps(s, taps), channels = s.in_channels / s.groups;
  __syncthreads();

  using Input = ConvInput<BM, BK, BOUNDED, TRANSPOSED, index_t>;
  using Weight = ConvWeight<BN, BK, TRANSPOSED, index_t>;
  Input input(s, phase, group, start, positions, count);
  Weight weights(s, group, first, count);
  value next_a[Input::DEPTH][Input::POINTS], next_b[Weight::COUNT], acc[TM][8] = {};
  const int m = threadIdx.x % (BM / TM), n = threadIdx.x / (BM / TM) * 8;
  if (count > 0) {
    input.fetch(load, s, taps, channels, next_a);
    weights.fetch(weight, taps, channels, next_b);
  }
  for (int left = channels * count; left > 0; left -= BK) {
    input.stash(a, next_a);
    weights.stash(b, next_b);
    __syncthreads();
    if (left > BK) {
      input.fetch(load, s, taps, channels, next_a);
      weights.fetch(weight, taps, channels, next_b);
    }
    multiply_tile<BK, BM, TM>(a, b, m, n, acc);
    __syncthreads();
  }
  store_tile<BM, TM>(bias, store, s, phase, start + m, positions, group * outs + first + n,
                     static_cast<int>(outs - first) - n, acc);
}
// ---- chunk
// Depthwise (one input channel per group): a thread computes TH outputs below one another, so that each x
// element it reads serves all its taps; the kernel's sizes are constants and the loops unroll. Neighbouring
// threads are neighbours along width: all accesses coalesce. Limited by memory: x read about once, the
// result written once. No shared memory; deterministic.
template <int KH, int KW, int SH, int DH, int TH, typename index_t, typename Load, typename Store>
__global__ void conv_depthwise_thread_per_column(Load load, Load weight, Load bias, Store store, ConvShape s,
                                                 int64_t n) {
  using value = typename Load::value;
  const int64_t thread = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= n) return;
  index_t rest = thread;
  const index_t OD = s.out[0], OH = s.out[1], OW = s.out[2], D = s.in[0], H = s.in[1], W = s.in[2],
                KD = s.kernel[0];
  const index_t ow = take_digit(rest, OW), oh = take_digit(rest, (OH + TH - 1) / TH) * TH,
                od = take_digit(rest, OD);
  const index_t oc = take_digit(rest, static_cast<index_t>(s.out_channels));
  const index_t map =
      rest * static_cast<index_t>(s.in_channels) + oc / static_cast<index_t>(s.out_channels / s.groups);
  const index_t d0 = od * s.stride[0] - s.padding[0], h0 = oh * SH - s.padding[1],
                w0 = ow * s.stride[2] - s.padding[2];
  const index_t DD = s.dilation[0], DW = s.dilation[2];
  value acc[TH] = {};
  for (index_t kd = 0; kd < KD; ++kd) {
    const index_t d = d0 + kd * DD;
    value taps[KH * KW];
#pragma unroll
    for (int k = 0; k < KH * KW; ++k) taps[k] = weight((oc * KD + kd) * (KH * KW) + k);
#pragma unroll
    for (int r = 0; r < (TH - 1) * SH + (KH - 1) * DH + 1; ++r) {
#pragma unroll
      for (int kw = 0; kw < KW; ++kw) {
        const index_t h = h0 + r, w = w0 + kw * DW;
        const bool inside = d >= 0 && d < D && h >= 0 && h < H && w >= 0 && w < W;
        const value x = inside ? load(((map * D + d) * H + h) * W + w) : value(0);
#pragma unroll
        for (int t = 0; t < TH; ++t) {
#pragma unroll
          for (int kh = 0; kh < KH; ++kh) {
            if (r == t * SH + kh * DH) acc[t] += x * taps[kh * KW + kw];
          }
        }
      }
    }
  }
  const index_t plane = (rest * static_cast<index_t>(s.out_channels) + oc) * OD + od;
  const value added = s.biased ? bias(oc) : value(0);
#pragma unroll
  for (int t = 0; t < TH; ++t) {
    if (oh + t < OH) store((plane * OH + oh + t) * OW + ow, acc[t] + added);
  }
}
