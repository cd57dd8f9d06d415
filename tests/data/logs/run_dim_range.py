import torch

a = torch.zeros(4, 4)
print(a.sum(2))
