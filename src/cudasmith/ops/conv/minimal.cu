#include <cstdint>
// ---- chunk
struct ConvShape {  // arrays: depth, height, width; 1 where the convolution has fewer axes
  int64_t batch, in_channels, out_channels, groups, biased, in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
};
// ---- chunk
// One thread computes one output element: a loop over its group's channels and the kernel's taps. Limited
// by two loads per multiply-add, mostly L1 hits: neighbouring threads read neighbouring x and the same
// weight. No shared memory; deterministic. index_t: int while every tensor has fewer than 2^31 elements.
template <typename index_t, typename Load, typename Store>
__global__ void conv_thread_per_output(Load load, Load weight, Load bias, Store store, ConvShape s, int64_t n) {
  const int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= n) return;
  const index_t i = at, D = s.in[0], H = s.in[1], W = s.in[2], KD = s.kernel[0], KH = s.kernel[1], KW = s.kernel[2];
  const index_t OD = s.out[0], OH = s.out[1], OW = s.out[2], OC = s.out_channels, IC = s.in_channels / s.groups;
  const index_t oc = i / OW / OH / OD % OC, image = i / OW / OH / OD / OC, first = (image * s.groups + oc / (OC / s.groups)) * IC;
  const index_t od = i / OW / OH % OD * s.stride[0], oh = i / OW % OH * s.stride[1], ow = i % OW * s.stride[2];
  typename Load::value sum = 0;
  for (index_t c = 0; c < IC; ++c)
    for (index_t kd = 0, d = od - s.padding[0]; kd < KD; ++kd, d += s.dilation[0])
      for (index_t kh = 0, h = oh - s.padding[1]; kh < KH; ++kh, h += s.dilation[1])
        for (index_t kw = 0, w = ow - s.padding[2]; kw < KW; ++kw, w += s.dilation[2])
          sum += weight((((oc * IC + c) * KD + kd) * KH + kh) * KW + kw) *
                 (d >= 0 && d < D && h >= 0 && h < H && w >= 0 && w < W ? load((((first + c) * D + d) * H + h) * W + w) : 0);
  store(at, s.biased ? sum + bias(oc) : sum);
}
// ---- chunk
// One thread computes one output element by gathering: tap k reaches output o from input (o + p - k * d) / s
// where that is whole. Limited by integer work: one division per axis and tap. No shared memory, no atomics;
// deterministic. index_t: int while every tensor has fewer than 2^31 elements.
template <typename index_t, typename Load, typename Store>
__global__ void conv_transpose_thread_per_output(Load load, Load weight, Load bias, Store store, ConvShape s, int64_t n) {
  const int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= n) return;
  const index_t i = at, D = s.in[0], H = s.in[1], W = s.in[2], KD = s.kernel[0], KH = s.kernel[1], KW = s.kernel[2];
  const index_t OD = s.out[0], OH = s.out[1], OW = s.out[2], OC = s.out_channels / s.groups, IC = s.in_channels / s.groups;
  const index_t SD = s.stride[0], SH = s.stride[1], SW = s.stride[2], oc = i / OW / OH / OD % s.out_channels, group = oc / OC;
  typename Load::value sum = 0;
  for (index_t kd = 0, d = i / OW / OH % OD + s.padding[0]; kd < KD; ++kd, d -= s.dilation[0])
    for (index_t kh = 0, h = i / OW % OH + s.padding[1]; kh < KH; ++kh, h -= s.dilation[1])
      for (index_t kw = 0, w = i % OW + s.padding[2]; kw < KW; ++kw, w -= s.dilation[2])
        if (d >= 0 && d % SD == 0 && d / SD < D && h >= 0 && h % SH == 0 && h / SH < H && w >= 0 && w % SW == 0 && w / SW < W)
          for (index_t c = group * IC; c < (group + 1) * IC; ++c)
            sum += load((((i / OW / OH / OD / s.out_channels * s.in_channels + c) * D + d / SD) * H + h / SH) * W + w / SW) *
                   weight((((c * OC + oc % OC) * KD + kd) * KH + kh) * KW + kw);
  store(at, s.biased ? sum + bias(oc) : sum);
}
