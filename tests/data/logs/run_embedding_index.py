import torch

table = torch.nn.Embedding(4, 2)
print(table(torch.tensor([5])))
