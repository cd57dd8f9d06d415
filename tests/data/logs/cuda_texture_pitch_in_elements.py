import torch
from torch.utils.cpp_extension import load_inline

src = r'''
#include <torch/extension.h>
#include <c10/cuda/CUDAException.h>
#include <cstring>

__global__ void sample(cudaTextureObject_t t, float* y, int H, int W) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (x < W) y[r * W + x] = tex2D<float>(t, x + 0.5f, r + 0.5f);
}

torch::Tensor tex_copy(torch::Tensor img) {
    int H = img.size(0), W = img.size(1);
    auto y = torch::empty_like(img);
    cudaResourceDesc res;
    std::memset(&res, 0, sizeof(res));
    res.resType = cudaResourceTypePitch2D;
    res.res.pitch2D.devPtr = img.data_ptr<float>();
    res.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    res.res.pitch2D.width = W;
    res.res.pitch2D.height = H;
    res.res.pitch2D.pitchInBytes = W;
    cudaTextureDesc tex;
    std::memset(&tex, 0, sizeof(tex));
    tex.addressMode[0] = tex.addressMode[1] = cudaAddressModeClamp;
    tex.filterMode = cudaFilterModePoint;
    tex.readMode = cudaReadModeElementType;
    cudaTextureObject_t obj = 0;
    C10_CUDA_CHECK(cudaCreateTextureObject(&obj, &res, &tex, nullptr));
    sample<<<dim3((W + 127) / 128, H), 128>>>(obj, y.data_ptr<float>(), H, W);
    C10_CUDA_CHECK(cudaDestroyTextureObject(obj));
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("tex_copy", &tex_copy); }
'''
tc = load_inline(name="tex_copy_ext", cpp_sources=[], cuda_sources=[src], verbose=False)

if __name__ == "__main__":
    print(tc.tex_copy(torch.rand(64, 40, device="cuda")).sum())
