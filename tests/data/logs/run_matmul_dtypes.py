import torch

a = torch.zeros(2, 3)
b = torch.zeros(3, 5).double()
c = a @ b
