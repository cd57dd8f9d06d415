import torch
from torch.utils.cpp_extension import load_inline

attn_src = r'''
#include <torch/extension.h>
#include <math.h>

static constexpr int CHUNK = 128;
static constexpr int HD = 64;

__global__ void attn_kernel(const float* q, const float* k, const float* v, float* o, int L) {
    __shared__ float ks[CHUNK][HD];
    __shared__ float vs[CHUNK][HD];
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float acc[HD];
    float m = -INFINITY, s = 0.f;
    for (int h = 0; h < HD; ++h) acc[h] = 0.f;
    for (int base = 0; base < L; base += CHUNK) {
        for (int t = threadIdx.x; t < CHUNK * HD; t += blockDim.x) {
            ks[t / HD][t % HD] = k[base * HD + t];
            vs[t / HD][t % HD] = v[base * HD + t];
        }
        __syncthreads();
        for (int j = 0; j < CHUNK; ++j) {
            float d = 0.f;
            for (int h = 0; h < HD; ++h) d += q[row * HD + h] * ks[j][h];
            float mn = fmaxf(m, d), c = expf(m - mn), e = expf(d - mn);
            s = s * c + e;
            for (int h = 0; h < HD; ++h) acc[h] = acc[h] * c + e * vs[j][h];
            m = mn;
        }
        __syncthreads();
    }
    for (int h = 0; h < HD; ++h) o[row * HD + h] = acc[h] / s;
}

torch::Tensor attention(torch::Tensor q, torch::Tensor k, torch::Tensor v) {
    auto o = torch::empty_like(q);
    int L = q.size(0);
    attn_kernel<<<L / 64, 64>>>(q.data_ptr<float>(), k.data_ptr<float>(), v.data_ptr<float>(), o.data_ptr<float>(), L);
    return o;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("attention", &attention, "single-head attention"); }
'''
attn = load_inline(name="attn_chunk", cpp_sources=[], cuda_sources=[attn_src], extra_cuda_cflags=["-O3"], verbose=False)
