from torch.utils.cpp_extension import load_inline

cpp_src = r"""
#include <pybind11/pybind11.h>
#include <stdexcept>
#include <string>

int blocks(int n, int threads) {
  if (threads % 32 != 0) throw std::invalid_argument("threads must be a multiple of 32, got " + std::to_string(threads));
  if (n > 65535) throw std::runtime_error("no grid of this size");
  return (n + threads - 1) / threads;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("blocks", &blocks); }
"""
ops = load_inline(name="own_check", cpp_sources=cpp_src, no_implicit_headers=True)
print(ops.blocks(100000, 32))
