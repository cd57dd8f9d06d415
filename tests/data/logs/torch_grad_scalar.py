import torch
import torch.nn.functional as F
x = torch.ones(2, requires_grad=True)
(x * 2).backward()
