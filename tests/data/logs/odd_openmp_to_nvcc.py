import torch
from torch.utils.cpp_extension import load_inline

SRC = r'''
#include <torch/extension.h>
#include <omp.h>

__global__ void addmul_kernel(const float* a, const float* b, const float* c, float* o, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        o[i] = fmaf(a[i], b[i], c[i]);
}

torch::Tensor addmul(torch::Tensor a, torch::Tensor b, torch::Tensor c) {
    auto o = torch::empty_like(a);
    addmul_kernel<<<256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), o.data_ptr<float>(), a.numel());
    return o;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("addmul", &addmul); }
'''

ext = load_inline(name="addmul_omp", cpp_sources=[], cuda_sources=[SRC], extra_cflags=["-fopenmp"],
                  extra_cuda_cflags=["-O2", "-fopenmp"],
                  extra_ldflags=["-lgomp"], verbose=False)
