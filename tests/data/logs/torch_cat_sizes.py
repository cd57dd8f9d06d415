import torch
import torch.nn.functional as F
a = torch.ones(2, 3)
b = torch.ones(2, 4)
torch.cat([a, b])
