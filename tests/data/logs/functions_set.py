import torch
from torch.utils.cpp_extension import load_inline

tri_src = r'''
__global__ void tri_kernel(const float* x, float* y, int N, bool lower) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j < N) y[i * N + j] = (lower ? j <= i : j >= i) ? x[i * N + j] : 0.f;
}
torch::Tensor tri(torch::Tensor x, bool lower) {
    auto y = torch::empty_like(x);
    int N = x.size(0);
    tri_kernel<<<dim3((N + 127) / 128, N), 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), N, lower);
    return y;
}
torch::Tensor tril_cuda(torch::Tensor x) { return tri(x, true); }
torch::Tensor triu_cuda(torch::Tensor x) { return tri(x, false); }
'''
tri = load_inline(
    name="tri_ext",
    cpp_sources="torch::Tensor tril_cuda(torch::Tensor x); torch::Tensor triu_cuda(torch::Tensor x);",
    cuda_sources=tri_src,
    functions={"tril_cuda", "triu_cuda"},
    verbose=False,
)
