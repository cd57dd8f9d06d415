#include <cstdint>
// ---- chunk
struct ConvShape {  // sizes in the order depth, height, width; leading ones are 1 in 1-d and 2-d
  int64_t batch, in_channels, out_channels, groups;
  int64_t in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
};
// ---- chunk
// One thread computes one output element: a loop over its group's channels and the kernel's taps. Limited
// by two loads per multiply-add, mostly L1 hits: neighbouring threads read neighbouring x and the same
// weight. No shared memory; deterministic. index_t: int while every tensor has fewer than 2^31 elements.
template <typename index_t, typename Load, typename Store, typename Param>
__global__ void conv_thread_per_output(Load load, Store store, Param weight, Param bias, ConvShape s, int64_t n) {
  const int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= n) return;
  const index_t i = at, D = s.in[0], H = s.in[1], W = s.in[2], KD = s.kernel[0], KH = s.kernel[1], KW = s.kernel[2];
  const index_t row = i / s.out[2], plane = row / s.out[1], map = plane / s.out[0], oc = map % s.out_channels;
  const index_t w0 = (i % s.out[2]) * s.stride[2] - s.padding[2], h0 = (row % s.out[1]) * s.stride[1] - s.padding[1];
  const index_t d0 = (plane % s.out[0]) * s.stride[0] - s.padding[0], channels = s.in_channels / s.groups;
  const index_t first = (map / s.out_channels) * s.in_channels + (oc / (s.out_channels / s.groups)) * channels;
  typename Load::value sum = 0;
  for (index_t c = 0; c < channels; ++c)
    for (index_t kd = 0; kd < KD; ++kd)
      for (index_t kh = 0; kh < KH; ++kh)
        for (index_t kw = 0; kw < KW; ++kw) {
          const index_t d = d0 + kd * s.dilation[0], h = h0 + kh * s.dilation[1], w = w0 + kw * s.dilation[2];
          if (d >= 0 && d < D && h >= 0 && h < H && w >= 0 && w < W)
            sum += load((((first + c) * D + d) * H + h) * W + w) * weight((((oc * channels + c) * KD + kd) * KH + kh) * KW + kw);
        }
  store(i, bias.data ? sum + bias(oc) : sum);
}
// ---- chunk
// One thread computes one output element by gathering: tap k reaches output o from input (o + p - k * d) / s
// where that is whole. Limited by integer work: one division per axis and tap. No shared memory, no atomics;
// deterministic. index_t: int while every tensor has fewer than 2^31 elements.
template <typename index_t, typename Load, typename Store, typename Param>
__global__ void conv_transpose_thread_per_output(Load load, Store store, Param weight, Param bias, ConvShape s, int64_t n) {
  const int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= n) return;
  const index_t i = at, D = s.in[0], H = s.in[1], W = s.in[2], KD = s.kernel[0], KH = s.kernel[1], KW = s.kernel[2];
  const index_t SD = s.stride[0], SH = s.stride[1], SW = s.stride[2], outs = s.out_channels / s.groups;
  const index_t row = i / s.out[2], plane = row / s.out[1], map = plane / s.out[0], oc = map % s.out_channels;
  const index_t channels = s.in_channels / s.groups, group = oc / outs, image = map / s.out_channels;
  typename Load::value sum = 0;
  for (index_t kd = 0; kd < KD; ++kd)
    for (index_t kh = 0; kh < KH; ++kh)
      for (index_t kw = 0; kw < KW; ++kw) {
        const index_t d = plane % s.out[0] + s.padding[0] - kd * s.dilation[0], h = row % s.out[1] + s.padding[1] - kh * s.dilation[1];
        const index_t w = i % s.out[2] + s.padding[2] - kw * s.dilation[2];
        if (d < 0 || d % SD || d / SD >= D || h < 0 || h % SH || h / SH >= H || w < 0 || w % SW || w / SW >= W) continue;
        for (index_t c = group * channels; c < (group + 1) * channels; ++c)
          sum += load((((image * s.in_channels + c) * D + d / SD) * H + h / SH) * W + w / SW) *
                 weight((((c * outs + oc % outs) * KD + kd) * KH + kh) * KW + kw);
      }
  store(i, bias.data ? sum + bias(oc) : sum);
}
