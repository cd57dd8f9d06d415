"""Reference whose training mode changes buffers."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(6)

    def forward(self, x):
        return self.norm(x)


def get_inputs():
    return [torch.rand(64, 6, 50)]
