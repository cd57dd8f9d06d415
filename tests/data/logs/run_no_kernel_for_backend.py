import torch

lib = torch.library.Library('mine', 'DEF')
lib.define('scale(Tensor x) -> Tensor')
lib.impl('scale', lambda x: x * 2, 'CUDA')
print(torch.ops.mine.scale(torch.zeros(4)))
