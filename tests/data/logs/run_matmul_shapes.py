import torch

a = torch.zeros(2, 3)
b = torch.zeros(4, 5)
c = a @ b
