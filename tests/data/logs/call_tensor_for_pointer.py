import torch

import fused_ops

y = fused_ops.scale_raw(torch.zeros(4), 4)
