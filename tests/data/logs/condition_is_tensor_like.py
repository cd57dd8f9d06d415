from torch.utils.cpp_extension import load_inline

source = r"""
struct Box { float v; };
__global__ void k(Box b, float* y) {
  if (b) y[0] = b.v;
}
"""

module = load_inline(name="condition_is_tensor_like", cpp_sources="", cuda_sources=source, functions=[], no_implicit_headers=True)
