import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
#include <c10/util/Exception.h>
void launch(int n) {
  AT_CHECK(n > 0, "n must be positive");
}
'''
cpp_src = '\n'
mod = load_inline(
    name='removed_macro_at_check',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
