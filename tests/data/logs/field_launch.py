from torch.utils.cpp_extension import load_inline

BLOCK = 8
src = r"""
__global__ void fill(float* a) { a[threadIdx.x] = 1.f; }
void launch(float* a, int n) {
    fill<<<(n + 7) / 8, {BLOCK}>>>(a);
}
"""
mod = load_inline(name="field_launch", cpp_sources="", cuda_sources=src, no_implicit_headers=True)
