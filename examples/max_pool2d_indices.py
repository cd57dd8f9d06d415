"""Max pooling that also tells where each maximum was."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, kernel_size):
        super().__init__()
        self.pool = nn.MaxPool2d(kernel_size, stride=2, padding=1, return_indices=True)

    def forward(self, x):
        return self.pool(x)


def get_inputs():
    return [torch.randn(8, 16, 128, 128)]


def get_init_inputs():
    return [3]
