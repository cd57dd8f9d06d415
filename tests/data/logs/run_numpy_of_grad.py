import torch

w = torch.ones(4, requires_grad=True)
w.numpy()
