import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = r'''
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>

__global__ void bias_gelu(const float* x, const float* b, float* y, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols) return;
    size_t i = (size_t)blockIdx.y * cols + c;
    float v = x[i] + b[c];
    y[i] = 0.5f * v * (1.f + erff(v * 0.70710678f));
}

torch::Tensor bias_gelu_fwd(torch::Tensor x, torch::Tensor b) {
    auto y = torch::empty_like(x);
    int rows = x.size(0), cols = x.size(1);
    dim3 grid((cols + 127) / 128, rows);
    bias_gelu<<<grid, 128>>>(x.data_ptr<float>(), b.data_ptr<float>(), y.data_ptr<float>(), cols);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("bias_gelu_fwd", &bias_gelu_fwd); }
'''


class BiasGelu(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.b = nn.Parameter(torch.zeros(n))
        self.ext = load_inline(name="bias_gelu_rows", cpp_sources=[], cuda_sources=[SRC], verbose=False)

    def forward(self, x):
        return self.ext.bias_gelu_fwd(x, self.b)


if __name__ == "__main__":
    m = BiasGelu(256).cuda()
    with torch.no_grad():
        print(m(torch.randn(100000, 256, device="cuda")).mean())
