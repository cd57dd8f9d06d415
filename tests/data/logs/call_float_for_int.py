import torch

import fused_ops

rows = 8 / 2
y = fused_ops.pad(torch.zeros(4), rows)
