"""Average pooling with a ragged last window."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, kernel_size, stride):
        super().__init__()
        self.pool = nn.AvgPool2d(kernel_size, stride, padding=1, ceil_mode=True, count_include_pad=False)

    def forward(self, x):
        return self.pool(x)


def get_inputs():
    return [torch.randn(8, 16, 127, 127)]


def get_init_inputs():
    return [3, 2]
