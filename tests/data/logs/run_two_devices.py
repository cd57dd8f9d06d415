import torch

a = torch.zeros(4)
b = torch.zeros(4, device='meta')
print(a + b)
