import torch
from torch.utils.cpp_extension import load_inline

src = r'''
__global__ void glu_kernel(const float* x, float* y, int half_c, int L, int total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total) return;
    int l = i % L, c = (i / L) % half_c, b = i / (L * half_c);
    float a = x[(b * 2 * half_c + c) * L + l];
    float g = x[(b * 2 * half_c + c + half_c) * L + l];
    y[i] = a / (1.f + __expf(-g));
}

torch::Tensor glu(torch::Tensor x) {
    TORCH_CHECK(x.dim() == 3, expected a 3-D tensor);
    int B = x.size(0), C = x.size(1), L = x.size(2);
    auto y = torch::empty({B, C / 2, L}, x.options());
    int total = y.numel();
    glu_kernel<<<(total + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), C / 2, L, total);
    return y;
}
'''
mod = load_inline(name="glu_1d", cpp_sources="torch::Tensor glu(torch::Tensor x);", cuda_sources=src,
                  functions=["glu"], extra_cflags=["-O3"], verbose=False)
