import torch
from torch.utils.cpp_extension import load_inline

cuda = r"""
__global__ void reverse_kernel(const float* x, float* y, int n) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
torch::Tensor reverse(torch::Tensor x) {
  auto y = torch::empty_like(x);
  reverse_kernel<<<1, x.numel(), x.numel() * 4>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.ext = load_inline(
            name="rev",
            cpp_sources="torch::Tensor reverse(torch::Tensor x);",
            cuda_sources=cuda,
            functions=["reverse"],
        )

    def forward(self, x):
        return self.ext.reverse(x)


class Model(torch.nn.Module):
    def forward(self, x):
        return x.flip(0)


def get_inputs():
    return [torch.randn(256)]
