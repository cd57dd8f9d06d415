import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#include <torch/extension.h>

__global__ void dist_kernel(const float* x, float* d, int64_t N, int D) {
    int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    if (i >= N * N) return;
    const float* a = x + (i / N) * D;
    const float* b = x + (i % N) * D;
    float s = 0.f;
    for (int k = 0; k < D; ++k) s += (a[k] - b[k]) * (a[k] - b[k]);
    d[i] = s;
}

torch::Tensor nearest(torch::Tensor x) {
    const int64_t N = x.size(0);
    auto d = torch::empty({N, N}, x.options());
    dist_kernel<<<(N * N + 255) / 256, 256>>>(x.data_ptr<float>(), d.data_ptr<float>(), N, x.size(1));
    return std::get<0>(d.min(1));
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("nearest", &nearest); }
'''
nn_ext = load_inline(name="nearest_full", cpp_sources=[], cuda_sources=[src], verbose=False)

if __name__ == "__main__":
    pts = torch.rand(1_000_000, 3, device="cuda")
    print(nn_ext.nearest(pts).mean())
