import torch

import fused_ops

y = fused_ops.pad(3.0, 1)
