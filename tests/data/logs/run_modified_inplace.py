import torch

w = torch.ones(4, requires_grad=True)
y = w.exp()
y.add_(1)
y.sum().backward()
