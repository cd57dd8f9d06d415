import torch
import torch.nn.functional as F
torch.ones(3).index_select(0, torch.ones(1))
