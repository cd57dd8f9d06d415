import torch
import torch.nn.functional as F
torch.mm(torch.ones(2), torch.ones(2))
