import torch

a = torch.zeros(3, 4).t()
print(a.view(-1))
