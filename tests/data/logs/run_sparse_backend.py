import torch

a = torch.zeros(4, 4).to_sparse()
print(a.view(-1))
