from torch.utils.cpp_extension import load_inline

source = r"""
void k(const float* x, float* y, int n) {
  y[0] = x[0];
}
void run(const float* x, float* y, int n) {
  k<<<1, 256>>>(x, y, n);
}
"""

module = load_inline(name="launch_of_no_kernel", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
