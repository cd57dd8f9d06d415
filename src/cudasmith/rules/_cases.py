"""A correct file, and edits of it: the cases of the rules."""

from __future__ import annotations

CORRECT = '''\
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_src = r"""
#include <torch/types.h>
#include <torch/csrc/utils/pybind.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

__global__ void scale_thread_per_element(const float* x, float* out, float by, int64_t n) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __ldg(x + i) * by;
}

static torch::Tensor checked(const torch::Tensor& t, torch::ScalarType dtype, const char* name) {
  TORCH_CHECK(t.is_cuda(), name, " must be a CUDA tensor, got ", t.device());
  TORCH_CHECK(t.scalar_type() == dtype, name, " must be ", dtype, ", got ", t.scalar_type());
  return t.contiguous();
}

torch::Tensor scale(torch::Tensor x, double by) {
  x = checked(x, torch::kFloat, "x");
  const c10::cuda::CUDAGuard guard(x.device());
  torch::Tensor out = torch::empty(x.sizes(), x.options());
  const int64_t n = out.numel();
  if (n == 0) return out;
  scale_thread_per_element<<<(n + 255) / 256, 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), out.data_ptr<float>(), by, n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scale", &scale, "x times a number");
}
"""


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, ext, x, by):
        return ext.scale(x, by)

    @staticmethod
    def backward(ctx, grad):
        raise NotImplementedError("inference only")


class ModelNew(nn.Module):
    _ext = None

    def __init__(self, by):
        super().__init__()
        self.by = by
        if ModelNew._ext is None:
            ModelNew._ext = load_inline(
                name="scale_ext",
                cpp_sources=[],
                cuda_sources=[cuda_src],
                extra_cflags=["-O3"],
                extra_cuda_cflags=["-O3"],
                verbose=False,
            )
        self.ext = ModelNew._ext

    def forward(self, x):
        return Scale.apply(self.ext, x, self.by)
'''

BINDING = """\
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("scale", &scale, "x times a number");
}
"""


def edit(*changes: tuple[str, str], text: str = CORRECT) -> str:
    """`text` with each (old, new) applied to every place where old stands."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


# The second safe pattern: the binding is made by `functions=`, the prototype is in cpp_sources.
DECLARED = edit(
    (BINDING, ""),
    ("cpp_sources=[],", 'cpp_sources=["torch::Tensor scale(torch::Tensor x, double by);"],'),
    ("cuda_sources=[cuda_src],", 'cuda_sources=[cuda_src],\n                functions=["scale"],'),
)

# The exported function is handed to a generic autograd.Function.
PASSED = edit(
    ("def forward(ctx, ext, x, by)", "def forward(ctx, fn, *args)"),
    ("return ext.scale(x, by)", "return fn(*args)"),
    ("Scale.apply(self.ext, x", "Scale.apply(ModelNew._ext.scale, x"),
)
