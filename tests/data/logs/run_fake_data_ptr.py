import torch

from torch._subclasses import FakeTensorMode

import fused_ops

with FakeTensorMode():
    fused_ops.twice(torch.zeros(4))
