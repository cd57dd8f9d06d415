import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <ATen/core/Tensor.h>
#include <ATen/Dispatch.h>
void run(at::Tensor x) {
  AT_DISPATCH_FLOATING_TYPES(x.type(), "run", [&] {
    (void)x.data_ptr<scalar_t>();
  });
}
'''
cpp_src = '\n'
mod = load_inline(
    name='dispatch_on_type',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
