import torch
import torch.nn.functional as F
F.max_pool2d(torch.ones(1, 1, 2, 2), 3)
