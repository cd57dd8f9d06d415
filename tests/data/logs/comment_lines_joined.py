from torch.utils.cpp_extension import load_inline

lines = [
    "__global__ void scale(float* a, int n) {",
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;  // thread",
    "  if (i < n) a[i] *= 2.f;",
    "}",
]
src = " ".join(lines)
mod = load_inline(name="comment_lines_joined", cpp_sources="", cuda_sources=src, no_implicit_headers=True)
