#include <torch/extension.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Everything that one pair of values goes through, one row per pair. H: __half or __nv_bfloat16.
#define HALF_KERNEL(NAME, H, H2, S, P2) \
  __global__ void NAME(const H* x, const H* y, float* out, int n) { \
    const int i = threadIdx.x; \
    if (i >= n) return; \
    const H a = x[i], b = y[i]; \
    const H2 p = __halves2##P2(a, b), q = __halves2##P2(b, a); \
    const float2 sum = __##P2##2float2(__hadd2(p, q)), fused = __##P2##2float2(__hfma2(p, p, q)); \
    float v[] = {sum.x, sum.y, fused.x, fused.y, __##S##2float(__hsub(a, b)), __##S##2float(__hmul(a, b)), __##S##2float(__hdiv(a, b)), \
                 __##S##2float(__hmax(a, b)), __##S##2float(__hmin(a, b)), __low2float(__hmax2(p, q)), __high2float(h2exp(p)), \
                 __##S##2float(hsqrt(__habs(a))), __##S##2float(__hneg(a)), __##S##2float(hrint(a)), (float)__heq(a, b), (float)__hlt(a, b), \
                 (float)__hgeu(a, b), (float)__hbge2(p, q), (float)(__hgt2_mask(p, q) >> 16), __##S##2float(__hadd_sat(a, b)), \
                 (float)__##S##2int_rn(a), (float)__##S##2int_rz(a), (float)__##S##2int_rd(a), (float)__##S##2int_ru(a), \
                 __low2float(__lowhigh2highlow(p)), __##S##2float(__hfma_relu(a, b, a))}; \
    for (int k = 0; k < 26; ++k) out[26 * i + k] = v[k]; \
  }
HALF_KERNEL(half_ops, __half, __half2, half, half2)
HALF_KERNEL(bfloat_ops, __nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

// Every rounding mode: float to half and bfloat16, sums, products, quotients, roots, conversions.
__global__ void rounded(const float* x, const float* y, double* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float a = x[i], b = y[i];
  double v[] = {
      __half2float(__float2half_rn(a)), __half2float(__float2half_rz(a)), __half2float(__float2half_rd(a)), __half2float(__float2half_ru(a)),
      __bfloat162float(__float2bfloat16_rn(a)), __bfloat162float(__float2bfloat16_rz(a)), __bfloat162float(__float2bfloat16_rd(a)), __bfloat162float(__float2bfloat16_ru(a)),
      __fadd_rn(a, b), __fadd_rz(a, b), __fadd_rd(a, b), __fadd_ru(a, b), __fmul_rn(a, b), __fmul_rz(a, b), __fmul_rd(a, b), __fmul_ru(a, b),
      __fdiv_rn(a, b), __fdiv_rz(a, b), __fdiv_rd(a, b), __fdiv_ru(a, b), __fmaf_rn(a, b, a), __fmaf_rz(a, b, a), __fmaf_rd(a, b, a), __fmaf_ru(a, b, a),
      __double2float_rn(a + 1e-9 * b), __double2float_rz(a + 1e-9 * b), __double2float_rd(a + 1e-9 * b), __double2float_ru(a + 1e-9 * b)};
  for (int k = 0; k < 28; ++k) out[28 * i + k] = v[k];
}

__global__ void math(const double* x, double* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const double a = x[i];  // between -1 and 1
  const double v[] = {erfinv(a), erfcinv(1 + a), normcdf(3 * a), normcdfinv(0.5 + a / 2.1), erfcx(a), rsqrt(1 + a), rcbrt(2 + a), sinpi(a), cospi(a),
                      cyl_bessel_i0(a), cyl_bessel_i1(a), norm3d(a, 1, 2), rhypot(a, 1), exp10(a), fma(a, a, 1.0), log1p(a), lgamma(2 + a), tgamma(2 + a),
                      rsqrtf(1 + a), rcbrtf(2 + a), normcdff(a), erfinvf(a), __expf(a), __logf(2 + a), __fdividef(a, 3), __saturatef(a), max(a, 0.25), fmaxf(a, NAN)};
  for (int k = 0; k < 28; ++k) out[28 * i + k] = v[k];
}

__global__ void integers(const int* x, const int* y, long long* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const int a = x[i], b = y[i];
  const unsigned u = a, w = b;
  const long long v[] = {__popc(u), __clz(a), __ffs(a), __brev(u), __byte_perm(u, w, 0x5140), __mulhi(a, b), __umulhi(u, w), __mul24(a, b), __umul24(u, w), __sad(a, b, 7),
                         __usad(u, w, 7), __hadd(a, b), __rhadd(a, b), __uhadd(u, w), __dp4a(a, b, 5), (long long)__dp4a(u, w, 5u), __dp2a_lo(a, b, 1), __vadd4(u, w), __vsubss2(u, w),
                         __vaddus4(u, w), __vmaxs2(u, w), __vminu4(u, w), __vabsdiffu4(u, w), __vcmpgts4(u, w), __vsetltu2(u, w), __vsadu4(u, w), __funnelshift_l(u, w, 5),
                         __funnelshift_rc(u, w, 40), __fns(u, 3, 2), __mul64hi((long long)a << 30, (long long)b << 20), __clzll(a), (long long)__brevll(u) & 0xffff,
                         __float2int_rd(a * 1e-3f), __float2uint_rz(a * 3.0f), __float2ll_rn(a * 1e12f), __double2int_ru(a + 0.5), __double2hiint(a), __float_as_int((float)b)};
  for (int k = 0; k < 38; ++k) out[38 * i + k] = v[k];
}

// Vector types: sizes, alignments, wide loads.
__global__ void vectors(const float* x, int* out, int n4) {
  const int i = threadIdx.x;
  const float4 v = reinterpret_cast<const float4*>(x)[i % n4];
  const uchar4 c = make_uchar4(1, 2, 3, 255);
  const double2 d = make_double2(v.x, v.w);
  const int4 k = make_int4(sizeof(char3), sizeof(short4), sizeof(longlong2), alignof(double4));
  const ushort2 s = *reinterpret_cast<const ushort2*>(&c);
  if (i == 1) {
    const int values[] = {(int)d.x, (int)d.y, k.x, k.y, k.z, k.w, (int)alignof(float2), (int)sizeof(float3), s.y, make_char2(-1, 5).x, (int)make_ulonglong2(7, 9).y};
    for (int j = 0; j < 11; ++j) out[j] = values[j];
  }
}

void half_run(torch::Tensor x, torch::Tensor y, torch::Tensor out) {
  if (x.scalar_type() == torch::kHalf)
    half_ops<<<1, 256>>>((const __half*)x.data_ptr(), (const __half*)y.data_ptr(), out.data_ptr<float>(), x.numel());
  else
    bfloat_ops<<<1, 256>>>((const __nv_bfloat16*)x.data_ptr(), (const __nv_bfloat16*)y.data_ptr(), out.data_ptr<float>(), x.numel());
}
void rounded_run(torch::Tensor x, torch::Tensor y, torch::Tensor out) { rounded<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), out.data_ptr<double>(), x.numel()); }
void math_run(torch::Tensor x, torch::Tensor out) { math<<<1, 256>>>(x.data_ptr<double>(), out.data_ptr<double>(), x.numel()); }
void integers_run(torch::Tensor x, torch::Tensor y, torch::Tensor out) {
  integers<<<1, 256>>>(x.data_ptr<int>(), y.data_ptr<int>(), (long long*)out.data_ptr<int64_t>(), x.numel());
}
void vectors_run(torch::Tensor x, torch::Tensor out) { vectors<<<1, 8>>>(x.data_ptr<float>(), out.data_ptr<int>(), x.numel() / 4); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("halves", &half_run);
  m.def("rounded", &rounded_run);
  m.def("math", &math_run);
  m.def("integers", &integers_run);
  m.def("vectors", &vectors_run);
}
