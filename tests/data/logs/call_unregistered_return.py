import torch

import fused_ops

p = fused_ops.plan(3)
