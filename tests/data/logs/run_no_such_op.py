import torch

print(torch.ops.mine.scale(torch.zeros(4)))
