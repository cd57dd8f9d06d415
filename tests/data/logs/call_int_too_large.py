import torch

import fused_ops

y = fused_ops.scale_raw(1.0, 1 << 40)
