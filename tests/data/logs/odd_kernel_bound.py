import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#include <torch/extension.h>

__global__ void count_kernel(const bool* m, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool v = i < n && m[i];
    unsigned b = __ballot_sync(0xffffffff, v);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, __popc(b));
}

torch::Tensor count_true(torch::Tensor m) {
    auto out = torch::zeros({1}, m.options().dtype(torch::kInt));
    int n = m.numel();
    count_kernel<<<(n + 255) / 256, 256>>>(m.data_ptr<bool>(), out.data_ptr<int>(), n);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("count_true", &count_kernel);
}
'''
ct = load_inline(name="count_true", cpp_sources=[], cuda_sources=[src], verbose=False)

if __name__ == "__main__":
    print(ct.count_true(torch.rand(1000, device="cuda") > 0.5))
