import torch

a = torch.zeros(2, 3)
b = torch.zeros(2, 4)
c = a + b
