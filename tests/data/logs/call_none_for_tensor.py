import torch

import fused_ops

bias = None
y = fused_ops.pad(bias, 1)
