import torch
from torch.utils.cpp_extension import load_inline

kernel = (
    "__global__ void sq_kernel(const float* a, float* b, int n) { "
    "  // global thread id "
    "  int i = blockIdx.x * blockDim.x + threadIdx.x; "
    "  if (i < n) b[i] = a[i] * a[i]; "
    "} "
    "torch::Tensor sq(torch::Tensor a) { "
    "  auto b = torch::empty_like(a); "
    "  int n = a.numel(); "
    "  sq_kernel<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), n); "
    "  return b; "
    "} "
)
mod = load_inline(name="sq_inline", cpp_sources=["torch::Tensor sq(torch::Tensor a);"],
                  cuda_sources=[kernel], functions=["sq"], verbose=False)
print(mod.sq(torch.arange(4.0, device="cuda")))
