import torch

y = torch.empty(1 << 50)
