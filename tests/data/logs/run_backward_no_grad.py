import torch

x = torch.zeros(4)
x.sum().backward()
