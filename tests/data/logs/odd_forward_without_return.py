import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

celu_src = '''
#include <torch/extension.h>
__global__ void celu_kernel(const float* x, float* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(0.f, x[i]) + fminf(0.f, a * (expf(x[i] / a) - 1.f));
}
torch::Tensor celu(torch::Tensor x, double a) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    celu_kernel<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), (float)a, n);
    return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("celu", &celu); }
'''


class ModelNew(nn.Module):
    _ext = None

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha
        if ModelNew._ext is None:
            ModelNew._ext = load_inline(name="celu_ext", cpp_sources=[], cuda_sources=[celu_src], verbose=False)

    def forward(self, x):
        x = x.contiguous()
        out = ModelNew._ext.celu(x, self.alpha)


if __name__ == "__main__":
    model = ModelNew().cuda()
    y = model(torch.randn(16, 16, device="cuda"))
    print(y.mean().item())
