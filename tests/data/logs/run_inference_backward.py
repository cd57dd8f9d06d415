import torch

w = torch.ones(4, requires_grad=True)
with torch.inference_mode():
    x = torch.zeros(4)
y = (w * x).sum()
