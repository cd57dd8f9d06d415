import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

src = r'''
#include <torch/extension.h>

__global__ void chmul(const float* x, const float* w, float* y, int C, int HW, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * w[(i / HW) % C];
}

torch::Tensor channel_mul(torch::Tensor x, torch::Tensor w) {
    TORCH_CHECK(x.is_cuda() && w.is_cuda(), "channel_mul: x is on ", x.device(), " and w is on ", w.device(), ", both must be on the GPU");
    TORCH_CHECK(w.numel() == x.size(1), "channel_mul: expected ", x.size(1), " weights");
    auto y = torch::empty_like(x);
    int n = x.numel();
    chmul<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), x.size(1), x.size(2) * x.size(3), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("channel_mul", &channel_mul); }
'''


class ChannelMul(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(c))
        self.ext = load_inline(name="channel_mul_ext", cpp_sources=[], cuda_sources=[src], verbose=False)

    def forward(self, x):
        return self.ext.channel_mul(x, self.weight)


if __name__ == "__main__":
    net = ChannelMul(64)
    x = torch.randn(2, 64, 8, 8).cuda()
    with torch.no_grad():
        print(net(x).shape)
