import torch
import torch.nn.functional as F
torch.vmap(lambda x: x.item())(torch.ones(2))
