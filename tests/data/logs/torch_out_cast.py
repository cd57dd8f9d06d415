import torch
import torch.nn.functional as F
x = torch.ones(2, dtype=torch.long)
x += 0.5
