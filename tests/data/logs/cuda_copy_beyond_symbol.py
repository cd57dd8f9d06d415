import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#include <torch/extension.h>

#define CHECK_CUDA(expr) TORCH_CHECK((expr) == cudaSuccess, #expr, ": ", cudaGetErrorString(cudaGetLastError()))

__constant__ float c_taps[8];

__global__ void fir9(const float* x, float* y, int taps, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.f;
    for (int k = 0; k < taps; ++k) if (i - k >= 0) s += c_taps[k] * x[i - k];
    y[i] = s;
}

torch::Tensor fir_const(torch::Tensor x, torch::Tensor taps) {
    auto host = taps.cpu();
    CHECK_CUDA(cudaMemcpyToSymbol(c_taps, host.data_ptr<float>(), host.numel() * sizeof(float)));
    auto y = torch::empty_like(x);
    int n = x.numel();
    fir9<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), (int)host.numel(), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("fir_const", &fir_const); }
'''
fir = load_inline(name="fir_const_ext", cpp_sources=[], cuda_sources=[src], verbose=False)

if __name__ == "__main__":
    print(fir.fir_const(torch.randn(100, device="cuda"), torch.ones(9, device="cuda"))[:3])
