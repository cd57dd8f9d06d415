"""A right candidate without a kernel. Tests plant faults at the marked lines."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))
        self.bias = nn.Parameter(torch.empty(width))
        # after construction

    def forward(self, x):
        # before
        y = torch.clamp_min(torch.addcmul(self.bias, x, self.weight), 0)
        # after
        return y
