from torch.utils.cpp_extension import load_inline

src = (
    "#include <cuda_runtime.h> "
    "__global__ void scale(float* a, int n) { "
    "  int i = blockIdx.x * blockDim.x + threadIdx.x; "
    "  if (i < n) a[i] *= 2.f; "
    "}\n"
    "void launch(float* a, int n) { scale<<<1, 32>>>(a, n); }\n"
)
mod = load_inline(name="include_swallows_text", cpp_sources="", cuda_sources=src, no_implicit_headers=True)
