"""A right candidate for norm.py; tests plant faults at the marked line."""

import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(6)

    def forward(self, x):
        n = self.norm
        # before
        return torch.nn.functional.batch_norm(
            x, n.running_mean, n.running_var, n.weight, n.bias, self.training, n.momentum, n.eps
        )
