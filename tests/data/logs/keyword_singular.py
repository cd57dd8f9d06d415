import torch
from torch.utils.cpp_extension import load_inline

cuda_source = '''
__global__ void twice_kernel(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + x[i];
}
torch::Tensor twice(torch::Tensor x) {
    auto y = torch::empty_like(x);
    twice_kernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    return y;
}
'''
cpp_source = "torch::Tensor twice(torch::Tensor x);"

twice_ext = load_inline(
    name="twice_ext",
    cpp_sources=cpp_source,
    cuda_source=cuda_source,
    functions=["twice"],
    verbose=False,
)

if __name__ == "__main__":
    print(twice_ext.twice(torch.ones(3, device="cuda")))
