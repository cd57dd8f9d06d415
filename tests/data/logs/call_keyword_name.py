import torch

import fused_ops

y = fused_ops.scale(torch.zeros(4), scale=0.5)
