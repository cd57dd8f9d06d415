import torch
from torch.utils.cpp_extension import load_inline

cuda_src = r'''
namespace cg = cooperative_groups;
__global__ void k(float* y) {
  auto block = cg::this_thread_block();
  block.sync();
}
'''
cpp_src = '\n'
mod = load_inline(
    name='cooperative_groups_missing',
    cpp_sources=[cpp_src],
    cuda_sources=[cuda_src],
    no_implicit_headers=True,
)
