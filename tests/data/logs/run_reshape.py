import torch

a = torch.zeros(4)
print(a.reshape(2, 3))
