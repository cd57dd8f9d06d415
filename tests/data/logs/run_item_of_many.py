import torch

a = torch.zeros(4)
print(float(a))
