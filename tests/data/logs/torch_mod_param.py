import torch
import torch.nn.functional as F
m = torch.nn.Linear(2, 2)
m.weight = torch.ones(2, 2)
