import torch

import fused_ops

y = fused_ops.nothing(torch.zeros(4))
print(y.shape)
