import torch

w = torch.zeros(4, requires_grad=True)
w[0] = 1
