import torch

with torch.inference_mode():
    x = torch.zeros(4)
x.add_(1)
