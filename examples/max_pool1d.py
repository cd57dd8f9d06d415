"""Dilated max pooling over a signal."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, kernel_size, stride, padding, dilation):
        super().__init__()
        self.pool = nn.MaxPool1d(kernel_size, stride, padding, dilation)

    def forward(self, x):
        return self.pool(x)


def get_inputs():
    return [torch.randn(16, 32, 4096)]


def get_init_inputs():
    return [8, 1, 4, 3]
