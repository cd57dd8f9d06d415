#include <torch/extension.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <cstdint>
using namespace nvcuda;

// One warp, one tile: D = A B + C with A of any layout.
template <int M, int N, int K, typename T, typename Sum, typename LA, typename LB>
__global__ void tile_product(const typename std::conditional<std::is_same<T, wmma::precision::tf32>::value, float, T>::type* a,
                             const typename std::conditional<std::is_same<T, wmma::precision::tf32>::value, float, T>::type* b, const Sum* c, Sum* d) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc, start;
  wmma::load_matrix_sync(fa, a, std::is_same<LA, wmma::row_major>::value ? K : M);
  wmma::load_matrix_sync(fb, b, std::is_same<LB, wmma::row_major>::value ? N : K);
  wmma::load_matrix_sync(start, c, N, wmma::mem_row_major);
  wmma::fill_fragment(fc, Sum(0.0f));
  if constexpr (std::is_same<T, wmma::precision::tf32>::value)
    for (int i = 0; i < fa.num_elements; i++) fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] * Sum(2.0f) + start.x[i];
  wmma::store_matrix_sync(d, fc, M, wmma::mem_col_major);
}

#define CP_ASYNC(dst, src, bytes, n) \
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;\n" ::"r"(dst), \
               "l"(src), "n"(bytes), "r"(n))
#define CP_WAIT(n) asm volatile("cp.async.wait_group " #n ";\n" ::: "memory")

__device__ __forceinline__ uint32_t address_of(const void* p) {
  uint32_t a;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(a) : "l"(p));
  return a;
}

// 16x16 by 16x8 with cp.async, ldmatrix and mma.sync. T: __half or __nv_bfloat16.
template <typename T>
__global__ void ptx_product(const T* a, const T* b, float* d, int wait) {
  __shared__ alignas(16) T sa[16][24];
  __shared__ alignas(16) T sb[16][8];
  const int lane = threadIdx.x;
  CP_ASYNC(address_of(&sa[lane / 2][lane % 2 * 8]), a + lane * 8, 16, 16);
  if (lane < 16) CP_ASYNC(static_cast<uint32_t>(__cvta_generic_to_shared(&sb[lane][0])), b + lane * 8, 16, 16);
  asm volatile("cp.async.commit_group;");
  if (wait) CP_WAIT(0);
  __syncthreads();
  uint32_t fa[4], fb[2];
  float c[4] = {0.f, 0.f, 0.f, 0.f};
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
               : "r"(address_of(&sa[lane % 16][lane / 16 * 8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(fb[0]), "=r"(fb[1]) : "r"(address_of(&sb[lane % 16][0])));
  if constexpr (sizeof(T) == 2 && std::is_same<T, __half>::value)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  else
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
                 : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  for (int i = 0; i < 4; i++) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}

// tf32 m16n8k8 and f64 m8n8k4, loaded by hand.
__global__ void more_products(const float* a, const float* b, float* d, const double* a64, const double* b64, double* d64) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  uint32_t x[4] = {__float_as_uint(a[g * 8 + t]), __float_as_uint(a[(g + 8) * 8 + t]), __float_as_uint(a[g * 8 + t + 4]), __float_as_uint(a[(g + 8) * 8 + t + 4])}, y[2];
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y[0]) : "f"(b[t * 8 + g]));
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y[1]) : "f"(b[(t + 4) * 8 + g]));
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  d[g * 8 + t * 2] = c0, d[g * 8 + t * 2 + 1] = c1, d[(g + 8) * 8 + t * 2] = c2, d[(g + 8) * 8 + t * 2 + 1] = c3;
  double e0 = 0, e1 = 0;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(e0), "+d"(e1) : "d"(a64[g * 4 + t]), "d"(b64[t * 8 + g]));
  d64[g * 8 + t * 2] = e0, d64[g * 8 + t * 2 + 1] = e1;
}

__device__ __forceinline__ float4 load_once(const float4* p) {
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
  return v;
}
__global__ void instructions(const float* x, float* out, int* ints, float* sum) {
  const int t = threadIdx.x;
  unsigned lane, warp, tid;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;\n\tmov.u32 %1, %%tid.x;" : "=r"(warp), "=r"(tid));
  const float4 v = load_once(reinterpret_cast<const float4*>(x) + t);
  float e, l, r, f, s;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(v.x));
  asm("lg2.approx.f32 %0, %1;" : "=f"(l) : "f"(v.y));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v.z));
  asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(f) : "f"(v.x), "f"(v.y));
  asm("ld.global.ca.f32 %0, [%1+4];" : "=f"(s) : "l"(x + t));
  out[8 * t] = e, out[8 * t + 1] = l, out[8 * t + 2] = r, out[8 * t + 3] = f;
  asm volatile("st.global.cs.v2.f32 [%0], {%1, %2};" ::"l"(out + 8 * t + 4), "f"(s), "f"(v.w) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sum), "f"(v.w) : "memory");
  int biggest, packed, half_sum, chosen;
  asm("{\n .reg .pred p;\n setp.gt.s32 p, %1, 5;\n selp.b32 %0, %1, 5, p;\n}" : "=r"(biggest) : "r"(t));
  asm("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo}; }" : "=r"(packed) : "r"(t * 65537 + 1));
  const __half2 h = __floats2half2_rn(t, 1);
  asm("add.f16x2 %0, %1, %1;" : "=r"(half_sum) : "r"(*reinterpret_cast<const int*>(&h)));
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 3; mov.s32 %0, 1; @p mov.s32 %0, 2; @!p add.s32 %0, %0, 7; }" : "=r"(chosen) : "r"(t));
  int shuffled, voted, old, table, wide_hi;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 3, 0x1f, 0xffffffff;" : "=r"(shuffled) : "r"(t));
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, 4; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(voted) : "r"(t));
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(ints + 10 * 32), "r"(1));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(table) : "r"(t), "r"(5), "r"(9));
  asm("{ .reg .u64 w; mul.wide.u32 w, %1, %2; shr.u64 w, w, 32; cvt.u32.u64 %0, w; }" : "=r"(wide_hi) : "r"(t << 28), "r"(48));
  const int values[] = {(int)(lane + 100 * warp + 10000 * tid), biggest, packed, half_sum & 0xffff, chosen, shuffled, voted, old >= 0 && old < 64, table, wide_hi};
  for (int i = 0; i < 10; i++) ints[10 * (t % 32) + i] = t < 32 ? values[i] : ints[10 * (t % 32) + i];
}

// Half of the threads produce, half consume, by mbarrier; then both meet at a named barrier.
__global__ void phases(int* out) {
  __shared__ uint64_t full;
  __shared__ int data[32];
  const uint32_t b = static_cast<uint32_t>(__cvta_generic_to_shared(&full));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(32));
  __syncthreads();
  for (int phase = 0; phase < 3; phase++) {
    if (threadIdx.x >= 32) {
      data[threadIdx.x - 32] = threadIdx.x * (phase + 1);
      asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(b) : "memory");
    } else {
      asm volatile(
          "{\n"
          ".reg .pred P1;\n"
          "LAB_WAIT:\n"
          "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
          "@P1 bra DONE;\n"
          "bra LAB_WAIT;\n"
          "DONE:\n"
          "}\n" ::"r"(b), "r"(phase & 1) : "memory");
      out[phase * 32 + threadIdx.x] = data[31 - threadIdx.x];
    }
    asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(64) : "memory");
  }
}
__global__ void forgotten(int* out) {
  __shared__ uint64_t full;
  const uint32_t b = static_cast<uint32_t>(__cvta_generic_to_shared(&full));
  int done = 0;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(b), "r"(2));
  while (!done) asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(b));
  out[0] = done;
}
__global__ void pipelined(const int* x, int* out, int n) {
  __shared__ int stages[2][32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stages[0][t], x + t, 4);
  __pipeline_commit();
  for (int i = 0; i < n; i++) {
    if (i + 1 < n) __pipeline_memcpy_async(&stages[(i + 1) % 2][t], x + 32 * (i + 1) + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[32 * i + t] = stages[i % 2][31 - t];
    __syncthreads();
  }
}
__global__ void half_warp(float* d) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
  if (threadIdx.x < 16) {
    wmma::fill_fragment(f, 0.0f);
    wmma::store_matrix_sync(d, f, 16, wmma::mem_row_major);
  }
  __syncthreads();
}

using row = wmma::row_major;
using col = wmma::col_major;
#define CASE(M, N, K, T, P, SUM, LA, LB) tile_product<M, N, K, T, SUM, LA, LB><<<1, 32>>>((const P*)a.data_ptr(), (const P*)b.data_ptr(), (const SUM*)c.data_ptr(), (SUM*)d.data_ptr())
void product(int which, torch::Tensor a, torch::Tensor b, torch::Tensor c, torch::Tensor d) {
  switch (which) {
    case 0: CASE(16, 16, 16, __half, __half, float, row, row); break;
    case 1: CASE(32, 8, 16, __half, __half, float, col, row); break;
    case 2: CASE(8, 32, 16, __nv_bfloat16, __nv_bfloat16, float, row, col); break;
    case 3: CASE(16, 16, 8, wmma::precision::tf32, float, float, col, col); break;
    default: CASE(16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, col, col);
  }
}
void ptx(torch::Tensor a, torch::Tensor b, torch::Tensor d, int wait) {
  if (a.scalar_type() == torch::kHalf) ptx_product<<<1, 32>>>((const __half*)a.data_ptr(), (const __half*)b.data_ptr(), d.data_ptr<float>(), wait);
  else ptx_product<<<1, 32>>>((const __nv_bfloat16*)a.data_ptr(), (const __nv_bfloat16*)b.data_ptr(), d.data_ptr<float>(), wait);
}
void more(torch::Tensor a, torch::Tensor b, torch::Tensor d, torch::Tensor a64, torch::Tensor b64, torch::Tensor d64) {
  more_products<<<1, 32>>>(a.data_ptr<float>(), b.data_ptr<float>(), d.data_ptr<float>(), a64.data_ptr<double>(), b64.data_ptr<double>(), d64.data_ptr<double>());
}
void instruct(torch::Tensor x, torch::Tensor out, torch::Tensor ints, torch::Tensor sum) {
  instructions<<<1, 32>>>(x.data_ptr<float>(), out.data_ptr<float>(), ints.data_ptr<int>(), sum.data_ptr<float>());
}
void run_phases(torch::Tensor out) { phases<<<1, 64>>>(out.data_ptr<int>()); }
void run_forgotten(torch::Tensor out) { forgotten<<<1, 1>>>(out.data_ptr<int>()); }
void run_pipelined(torch::Tensor x, torch::Tensor out) { pipelined<<<1, 32>>>(x.data_ptr<int>(), out.data_ptr<int>(), x.size(0)); }
void run_half_warp(torch::Tensor d) { half_warp<<<1, 32>>>(d.data_ptr<float>()); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("product", &product);
  m.def("ptx", &ptx);
  m.def("more", &more);
  m.def("instructions", &instruct);
  m.def("phases", &run_phases);
  m.def("forgotten", &run_forgotten);
  m.def("pipelined", &run_pipelined);
  m.def("half_warp", &run_half_warp);
}
