import torch

a = torch.zeros(4)
print(a[torch.tensor([7])])
