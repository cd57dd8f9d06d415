import torch
from torch.utils.cpp_extension import load_inline

cpp_src = r'''
#include <c10/util/Exception.h>
void run(int n) { TORCH_CHECK(n > 0); }
'''
mod = load_inline(
    name='gxx_old_standard',
    cpp_sources=[cpp_src],
    no_implicit_headers=True,
    extra_cflags=['-std=c++14'],
)
