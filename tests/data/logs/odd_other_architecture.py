import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void half_life(float* x, float f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= f;
}

torch::Tensor decay(torch::Tensor x, double f) {
    auto y = x.clone();
    int n = y.numel();
    half_life<<<(n + 255) / 256, 256>>>(y.data_ptr<float>(), (float)f, n);
    cudaError_t e = cudaGetLastError();
    TORCH_CHECK(e == cudaSuccess, "decay launch: ", cudaGetErrorString(e));
    return y;
}
'''
decay = load_inline(
    name="decay_ext",
    cpp_sources="torch::Tensor decay(torch::Tensor x, double f);",
    cuda_sources=src,
    functions=["decay"],
    extra_cuda_cflags=["-O3", "-gencode=arch=compute_80,code=sm_80"],
    verbose=False,
)

if __name__ == "__main__":
    print(decay.decay(torch.ones(4, device="cuda"), 0.5))
