import torch

a = torch.zeros(4)
if a > 0:
    print(a)
