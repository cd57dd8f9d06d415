import torch

import fused_ops

x = torch.zeros(4)
fused_ops.scale_raw(x.data_ptr(), 4.0)
