import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#include <torch/extension.h>
#include <cooperative_groups.h>
#include <c10/cuda/CUDAException.h>
namespace cg = cooperative_groups;

__global__ void standardize(const float* x, float* y, float* sum, int n) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0.f;
    atomicAdd(sum, v);
    grid.sync();
    if (i < n) y[i] = v - *sum / n;
}

torch::Tensor center_all(torch::Tensor x) {
    auto y = torch::empty_like(x);
    auto sum = torch::zeros({1}, x.options());
    const float* xp = x.data_ptr<float>();
    float* yp = y.data_ptr<float>();
    float* sp = sum.data_ptr<float>();
    int n = x.numel();
    int blocks = (n + 255) / 256;
    void* args[] = {&xp, &yp, &sp, &n};
    C10_CUDA_CHECK(cudaLaunchCooperativeKernel((void*)standardize, dim3(blocks), dim3(256), args, 0, 0));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("center_all", &center_all); }
'''
coop = load_inline(name="center_all_coop", cpp_sources=[], cuda_sources=[src], verbose=False)

if __name__ == "__main__":
    print(coop.center_all(torch.randn(4_000_000, device="cuda")).mean())
