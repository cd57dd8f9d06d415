import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__global__ void sin_kernel(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __sinf(x[i]);
}

torch::Tensor fast_sin(torch::Tensor x) {
    auto y = torch::empty_like(x);
    const int n = x.numel();
    const int threads = 256;
    const int blocks = n / threads;
    sin_kernel<<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("fast_sin", &fast_sin); }
'''
fs = load_inline(name="fast_sin_ext", cpp_sources=[], cuda_sources=[src], verbose=False)

if __name__ == "__main__":
    print(fs.fast_sin(torch.linspace(0, 1, 100, device="cuda")))
