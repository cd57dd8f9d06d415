import torch
import torch.nn.functional as F
x = torch.ones(1).expand(3)
x += 1
