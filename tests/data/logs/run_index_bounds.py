import torch

a = torch.zeros(4)
print(a[7])
