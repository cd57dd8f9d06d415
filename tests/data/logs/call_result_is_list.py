import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#include <torch/extension.h>
#include <vector>

__global__ void top1_kernel(const float* x, float* v, int* ix, int R, int D) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= R) return;
    int b = 0;
    for (int d = 1; d < D; ++d) if (x[r * D + d] > x[r * D + b]) b = d;
    v[r] = x[r * D + b];
    ix[r] = b;
}

std::vector<torch::Tensor> top1(torch::Tensor x) {
    int R = x.size(0), D = x.size(1);
    auto v = torch::empty({R}, x.options());
    auto ix = torch::empty({R}, x.options().dtype(torch::kInt));
    top1_kernel<<<(R + 63) / 64, 64>>>(x.data_ptr<float>(), v.data_ptr<float>(), ix.data_ptr<int>(), R, D);
    return {v, ix};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("top1", &top1, "values and indices"); }
'''
ext = load_inline(name="top1_ext", cpp_sources=[], cuda_sources=[src], verbose=False)

if __name__ == "__main__":
    x = torch.randn(100, 33, device="cuda")
    best = ext.top1(x)
    torch.testing.assert_close(best.cpu(), x.max(1).values.cpu())
