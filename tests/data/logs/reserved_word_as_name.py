from torch.utils.cpp_extension import load_inline

source = r"""
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float old = y[i];
  float new = x[i] + old;
  y[i] = new;
}
"""

module = load_inline(name="reserved_word_as_name", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
