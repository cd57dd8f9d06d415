import torch

import fused_ops

y = fused_ops.twice(torch.zeros(4, dtype=torch.float64))
