import torch

w = torch.ones(4, requires_grad=True)
y = (w * w).sum()
y.backward()
y.backward()
