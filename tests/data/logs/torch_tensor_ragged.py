import torch
import torch.nn.functional as F
torch.tensor([[1, 2], [3]])
